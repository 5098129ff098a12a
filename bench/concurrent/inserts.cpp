// Inserts beside other threads, against one locked OR on a random line per key.
#include <fmt/format.h>

#include <functional>
#include <memory>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>

#include "concurrent/sections.hpp"
#include "kit/floor.hpp"
#include "kit/interleave.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

using span_of_keys = std::span<const key>;
constexpr std::size_t group = 4096;

template <class C>
void batched(C& f, span_of_keys ks) {
  for (std::size_t i = 0; i < ks.size(); i += group)
    f.insert(ks.subspan(i, std::min(group, ks.size() - i)));
}
template <class C>
void single(C& f, span_of_keys ks) {
  for (const key k : ks) f.insert(k);
}
template <class C>
void if_absent(C& f, span_of_keys ks) {
  bool first[group];
  for (std::size_t i = 0; i < ks.size(); i += group) {
    const std::size_t n = std::min(group, ks.size() - i);
    f.insert_if_absent(ks.subspan(i, n), std::span(first).first(n));
  }
}
template <class C>
void if_absent_single(C& f, span_of_keys ks) {
  for (const key k : ks) (void)f.insert_if_absent(k);
}

struct row {
  const char* name;
  std::function<void(span_of_keys)> work;
  std::function<void()> clear;
};

}  // namespace

std::string inserts(const request& r) {
  std::string text =
      "| keys | insert | 1 thread | to the floor | 2 threads | 2 against 1 |\n"
      "|---|---|---|---|---|---|\n";
  for (const std::uint64_t n : r.keys) {
    const auto ks = some_keys(n, 1);
    auto plain = must(block_bloom::make({.keys = n}));
    auto free = must(concurrent<block_bloom>::make({.keys = n}));
    auto held = must(concurrent<block_bloom, locked>::make({.keys = n}));
    auto floor = must(line_floor::make(plain.size_in_bytes()));
    const auto empty_plain = [&] { plain.clear(); };
    const auto empty_free = [&] { free.clear(); };
    const auto empty_held = [&] { held.clear(); };
    const row rows[] = {
        {"wait_free, batched", [&](auto k) { batched(free, k); }, empty_free},
        {"locked, batched", [&](auto k) { batched(held, k); }, empty_held},
        {"wait_free, if_absent, batched", [&](auto k) { if_absent(free, k); },
         empty_free},
        {"locked, if_absent, batched", [&](auto k) { if_absent(held, k); }, empty_held},
        {"wait_free, one by one", [&](auto k) { single(free, k); }, empty_free},
        {"locked, one by one", [&](auto k) { single(held, k); }, empty_held},
        {"wait_free, if_absent, one by one", [&](auto k) { if_absent_single(free, k); },
         empty_free},
        {"locked, if_absent, one by one", [&](auto k) { if_absent_single(held, k); },
         empty_held},
    };
    std::vector<task> tasks{
        {line_floor::batched_accesses, [&] { return floor.atomic_or_batched(); }},
        {n, [&] { return batched(plain, ks), n; }, empty_plain}};
    for (const row& x : rows)
      for (const unsigned threads : {1u, 2u})
        tasks.push_back(
            {n, [&, threads] { return shared_out(ks, threads, x.work); }, x.clear});
    const auto t = interleave(tasks, n > 10'000'000 ? 2 : r.rounds);
    require_present(plain, ks, "block");
    require_present(free, ks, "block, wait_free");
    require_present(held, ks, "block, locked");
    text += fmt::format("| {} | *atomic_or_floor_batched_ns* | {:.2f} | 1 | | |\n", n,
                        t[0].min);
    text += fmt::format("| {} | plain filter, batched | {:.2f} | {:.2f} | | |\n", n,
                        t[1].min, t[1].min / t[0].min);
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      const timing &one = t[2 + 2 * i], &two = t[3 + 2 * i];
      text += fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", n,
                          rows[i].name, one.min, one.min / t[0].min, two.min,
                          one.min / two.min);
    }
  }
  return text;
}

}  // namespace bloomery::bench
