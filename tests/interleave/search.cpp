#include "search.hpp"

#include <bit>

namespace interleave {
namespace {

unsigned one_of(unsigned mask, unsigned preferred) {
  if (preferred < 32 && (mask >> preferred & 1) != 0) return preferred;
  return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace

bool search::advance() {
  for (; !path_.empty(); path_.pop_back()) {
    node& n = path_.back();
    if (n.is_pick) n.asleep |= 1U << n.chosen;
    if (n.rest == 0) continue;
    if (n.is_pick) {
      n.chosen = one_of(n.rest, none);
      n.rest &= ~(1U << n.chosen);
    } else {
      ++n.chosen;
      --n.rest;
    }
    return true;
  }
  return false;
}

unsigned search::choose(unsigned n) {
  if (n == 1) return 0;
  if (at_ == path_.size()) path_.push_back({false, 0, n - 1});
  return path_[at_++].chosen;
}

unsigned search::pick(unsigned enabled, unsigned asleep, unsigned preferred,
                      const std::function<state_key()>& state) {
  if (at_ < path_.size()) return path_[at_++].chosen;
  if (!reduce_) asleep = 0;
  const auto [found, is_new] = seen_.try_emplace(state(), asleep);
  unsigned rest = enabled & ~asleep;
  if (reduce_ && !is_new) {
    rest &= found->second;
    asleep = found->second &= asleep;
  }
  if (rest == 0) return none;
  const unsigned chosen = one_of(rest, preferred);
  path_.push_back({true, chosen, rest & ~(1U << chosen), asleep});
  ++at_;
  return chosen;
}

}  // namespace interleave
