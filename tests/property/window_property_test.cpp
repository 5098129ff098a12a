// Any epochs, leaps and late keys: a window over an exact filter equals a map from epochs
// to sets of keys.
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bloomery/live/window_filter.hpp>

#include "exact_filter.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

class window_model {
 public:
  window_model(std::uint64_t retention, std::uint64_t epoch)
      : retention_(retention), epoch_(epoch) {}

  bool advance(std::uint64_t to) {
    if (to < epoch_) return false;
    epoch_ = to;
    return true;
  }
  bool insert(std::uint64_t k, std::uint64_t epoch) {
    if (!holds(epoch)) return false;
    keys_[epoch].insert(k);
    return true;
  }
  bool contains(std::uint64_t k) const {
    for (const auto& [epoch, keys] : keys_)
      if (holds(epoch) && keys.contains(k)) return true;
    return false;
  }
  std::set<std::uint64_t> of(std::uint64_t epoch) const {
    const auto found = keys_.find(epoch);
    return found == keys_.end() ? std::set<std::uint64_t>() : found->second;
  }
  bool holds(std::uint64_t epoch) const {
    return epoch <= epoch_ && epoch_ - epoch <= retention_;
  }
  std::uint64_t epoch() const { return epoch_; }

 private:
  std::uint64_t retention_, epoch_;
  std::map<std::uint64_t, std::set<std::uint64_t>> keys_;
};

using step = std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>;

RC_GTEST_PROP(WindowProperty, AgreesWithAMapOfEpochs,
              (std::uint8_t width, std::uint8_t start, const std::vector<step>& steps)) {
  constexpr std::uint64_t some_keys = 16;
  const std::uint64_t w = width % 6;
  window_model model(w, start);
  auto f = must(window_filter<exact_filter>::make(
      {.params = {}, .retention = w, .first_epoch = start}));

  for (const auto& [what, a, b] : steps) {
    const key k = key::from_bits(b % some_keys);
    // Near the present, on both sides; now and then a long way off.
    const std::uint64_t epoch =
        model.epoch() + a % 12 - 6 + (a > 250 ? std::uint64_t{1} << (b % 60) : 0);
    switch (what % 3) {
      case 0:
        f.insert(k);
        model.insert(k.bits(), model.epoch());
        break;
      case 1:
        RC_ASSERT(f.insert_at(k, epoch).has_value() == model.insert(k.bits(), epoch));
        break;
      default:
        RC_ASSERT(f.advance(epoch).has_value() == model.advance(epoch));
    }
    std::vector<key> all;
    bool out[some_keys];
    for (std::uint64_t i = 0; i < some_keys; ++i) all.push_back(key::from_bits(i));
    f.may_contain(all, out);
    for (std::uint64_t i = 0; i < some_keys; ++i) {
      RC_ASSERT(f.may_contain(all[i]) == model.contains(i));
      RC_ASSERT(out[i] == model.contains(i));
    }
    RC_ASSERT(f.epoch() == model.epoch());
    for (std::uint64_t age = 0; age <= w + 1; ++age) {
      const std::uint64_t e = model.epoch() - age;
      const auto copy = f.snapshot(e);
      RC_ASSERT(copy.has_value() == model.holds(e));
      if (copy) RC_ASSERT(*copy == model.of(e));
    }
  }
}

}  // namespace
}  // namespace bloomery::testing
