// Lookups: the concurrent type against the plain filter, absent keys.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>

#include "concurrent/sections.hpp"
#include "kit/interleave.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

template <class F>
std::uint64_t batched(const F& f, const std::vector<key>& ks, std::span<bool> out) {
  constexpr std::size_t group = 4096;
  for (std::size_t i = 0; i < ks.size(); i += group) {
    const std::size_t n = std::min(group, ks.size() - i);
    f.may_contain(std::span(ks).subspan(i, n), out.first(n));
  }
  return out[0];
}

}  // namespace

std::string lookups(const request& r) {
  std::string text =
      "| keys | plain | concurrent | ratio | plain, batched | concurrent, batched | "
      "ratio |\n|---|---|---|---|---|---|---|\n";
  const auto asked = some_keys(1u << 20, 2);
  const auto room = std::make_unique<bool[]>(4096);
  const std::span<bool> out(room.get(), 4096);
  for (const std::uint64_t n : r.keys) {
    auto made = must(block_bloom::make({.keys = n}));
    {
      const auto ks = some_keys(n, 1);
      made.insert(std::span<const key>(ks));
    }
    const auto shared = must(concurrent<block_bloom>::adopt(std::move(made)));
    require_present(shared, some_keys(std::min<std::uint64_t>(n, 1'000'000), 1),
                    "shared block");
    const block_bloom& plain = shared.unsynchronised();  // the same memory
    const task tasks[] = {
        {asked.size(), [&] { return one_by_one(plain, asked); }},
        {asked.size(), [&] { return one_by_one(shared, asked); }},
        {asked.size(), [&] { return batched(plain, asked, out); }},
        {asked.size(), [&] { return batched(shared, asked, out); }},
    };
    const auto t = interleave(tasks, 2 * r.rounds);
    text += fmt::format("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
                        n, t[0].min, t[1].min, t[1].min / t[0].min, t[2].min, t[3].min,
                        t[3].min / t[2].min);
  }
  return text;
}

}  // namespace bloomery::bench
