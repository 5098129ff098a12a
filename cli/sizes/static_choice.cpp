#include "sizes/static_choice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

struct candidate {
  const kind_info* kind;
  filter_size size;
};

bool is_static(const kind_info& k) { return k.can.has(capability::build); }

std::string in_words(const candidate& c, std::uint64_t keys, bool by_rate) {
  return by_rate ? fmt::format("{:.2f} bits per key", static_cast<double>(c.size.bytes) *
                                                          8 / static_cast<double>(keys))
                 : "a rate of " + rate(c.size.expected_fpr);
}

}  // namespace

const kind_info& any_static_kind() {
  const auto found = std::ranges::find_if(kinds(), is_static);
  if (found == kinds().end())
    throw failure("--kind static: this version has no kind that is only built");
  return *found;
}

static_choice choose_static(std::uint64_t keys, const size_request& size, bool fast) {
  const bool by_rate = size.is_by_rate();
  std::vector<candidate> able;
  std::string why = "there is none";
  for (const kind_info& k : kinds()) {
    if (!is_static(k)) continue;
    const auto sized = k.size(keys, size);
    if (sized)
      able.push_back({&k, *sized});
    else
      why = describe(k.facts.name, sized.error());
  }
  if (able.empty()) throw failure(fmt::format("--kind static: {}", why));
  const auto is_slow = [](const candidate& c) { return !c.kind->facts.fast_lookups; };
  const bool has_fast = fast && !std::ranges::all_of(able, is_slow);
  std::ranges::stable_sort(able, {}, [&](const candidate& c) {
    const double cost = by_rate ? static_cast<double>(c.size.bytes) : c.size.expected_fpr;
    return std::pair(has_fast && is_slow(c), cost);
  });
  static_choice best{able.front().kind, in_words(able.front(), keys, by_rate)};
  for (std::size_t i = 1; i < able.size(); ++i)
    best.reason += fmt::format("{} {}{} {}", i == 1 ? ";" : ",", able[i].kind->facts.name,
                               i == 1 ? (by_rate ? " would take" : " would have") : "",
                               in_words(able[i], keys, by_rate));
  return best;
}

}  // namespace bloomery::cli
