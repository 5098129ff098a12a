// Lookups through live_filter, counted and not, against the filter itself.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

#include "concurrent/sections.hpp"
#include "kit/interleave.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

// As a server gets them: 64 at a time.
template <class F>
std::uint64_t batched(const F& f, const std::vector<key>& ks) {
  constexpr std::size_t group = 64;
  bool out[group];
  std::uint64_t yes = 0;
  for (std::size_t i = 0; i + group <= ks.size(); i += group) {
    f.may_contain(std::span(ks).subspan(i, group), std::span(out));
    yes += out[0];
  }
  return yes;
}

}  // namespace

std::string through_live(const request& r) {
  using shared = concurrent<block_bloom>;
  std::string text =
      "| keys | | filter | live, not counted | filter | live, counted | counting |\n"
      "|---|---|---|---|---|---|---|\n";
  const auto asked = some_keys(1u << 20, 2);
  for (const std::uint64_t n : r.keys) {
    const auto make = [&] {
      auto f = must(shared::make({.keys = n}));
      const auto ks = some_keys(n, 1);
      f.insert(std::span<const key>(ks));
      return f;
    };
    const auto live = must(live_filter<shared>::make(make(), {.count = false}));
    const auto counted = must(live_filter<shared>::make(make(), {}));
    require_present(live, some_keys(std::min<std::uint64_t>(n, 1'000'000), 1),
                    "live block");
    // Each against the filter it holds: the same memory.
    const shared& f = live.read().filter();
    const shared& g = counted.read().filter();
    const task tasks[] = {
        {asked.size(), [&] { return one_by_one(f, asked); }},
        {asked.size(), [&] { return one_by_one(live, asked); }},
        {asked.size(), [&] { return one_by_one(g, asked); }},
        {asked.size(), [&] { return one_by_one(counted, asked); }},
        {asked.size(), [&] { return one_by_one(f, asked); }},
        {asked.size(), [&] { return one_by_one(live.read(), asked); }},
        {asked.size(), [&] { return one_by_one(g, asked); }},
        {asked.size(), [&] { return one_by_one(counted.read(), asked); }},
        {asked.size(), [&] { return batched(f, asked); }},
        {asked.size(), [&] { return batched(live, asked); }},
        {asked.size(), [&] { return batched(g, asked); }},
        {asked.size(), [&] { return batched(counted, asked); }},
    };
    const auto t = interleave(tasks, 2 * r.rounds);
    const char* const names[] = {"one by one", "one by one, by a held reader",
                                 "batches of 64"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
      const double filter = t[4 * i].min, off = t[4 * i + 1].min;
      const double same = t[4 * i + 2].min, on = t[4 * i + 3].min;
      text += fmt::format(
          "| {} | {} | {:.2f} | {:.2f} ({:+.2f}) | {:.2f} | {:.2f} ({:+.2f}) | {:.2f} "
          "|\n",
          n, names[i], filter, off, off - filter, same, on, on - same,
          on / same / (off / filter));
    }
  }
  return text;
}

}  // namespace bloomery::bench
