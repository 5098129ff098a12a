// Filters that erase keys: lookups, and lookups with 10 % writes, by one thread and two.
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <type_traits>

#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>

#include "concurrent/sections.hpp"
#include "kit/interleave.hpp"
#include "kit/keep.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

using span_of_keys = std::span<const key>;

template <class F>
void only_lookups(const F& f, span_of_keys asked) {
  std::uint64_t yes = 0;
  for (const key k : asked) yes += f.may_contain(k);
  keep(yes);
}

// 18 of 20 operations are lookups, one inserts a new key, one erases the key that was
// inserted 256 inserts ago: the number of keys stays the same.
template <class F>
void with_writes(F& f, span_of_keys asked) {
  constexpr std::size_t lag = 256;
  std::uint64_t yes = 0;
  std::size_t in = 0, out = 0;
  const auto written = [&](std::size_t i) {  // keys that nobody else writes
    return key::from_bits(splitmix64(asked[i].bits()));
  };
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (i % 20 == 0) {
      (void)f.try_insert(written(in++));
    } else if (i % 20 == 10) {
      if (in > lag) (void)f.erase_present(written(out++));
    } else {
      yes += f.may_contain(asked[i]);
    }
  }
  while (out < in) (void)f.erase_present(written(out++));
  keep(yes);
}

// Its lookups take no lock, and give up after some attempts beside writers.
template <class C>
concept optimistic = requires(const C& c) {
  { c.contended_lookups() } -> std::same_as<std::uint64_t>;
};

template <class F>
struct is_shared_and_erases
    : std::bool_constant<erasable<F> &&
                         shared_by_threads<F, typename default_policy<F>::type>> {};

template <class Plain>
void rows(const request& r, std::string& text) {
  using shared = concurrent<Plain>;
  const char* const name = Plain::kind.name;
  for (const std::uint64_t n : r.keys) {
    if (n > 50'000'000) continue;
    const auto ks = some_keys(n, 1);
    // Half of the lookups are of keys that are in.
    auto asked = some_keys(1u << 17, 2);
    for (std::size_t i = 0; i < asked.size(); i += 2)
      asked[i] = ks[asked[i].bits() % ks.size()];
    const auto size = n + 2048;
    auto plain = must(Plain::make({.keys = size, .fpr = 0.002}));
    (void)plain.try_insert(span_of_keys(ks));
    auto f = must(shared::adopt(must(plain.clone())));
    std::vector<task> tasks{{asked.size(), [&] { return only_lookups(plain, asked), 0; }},
                            {asked.size(), [&] { return with_writes(plain, asked), 0; }}};
    for (const unsigned threads : {1u, 2u}) {
      tasks.push_back({asked.size(), [&, threads] {
                         return shared_out(asked, threads,
                                           [&](auto some) { only_lookups(f, some); });
                       }});
      tasks.push_back({asked.size(), [&, threads] {
                         return shared_out(asked, threads,
                                           [&](auto some) { with_writes(f, some); });
                       }});
    }
    const auto t = interleave(tasks, 16 * r.rounds);
    require_present(plain, ks, name);
    require_present(f, ks, name);
    for (const std::size_t w : {0u, 1u})
      text += fmt::format(
          "| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {:.1f} | {:.2f} |\n", name, n,
          w == 0 ? "lookups" : "lookups, 10 % writes", t[w].min, t[2 + w].min,
          t[2 + w].min / t[w].min, t[4 + w].min, t[2 + w].min / t[4 + w].min);
    if constexpr (optimistic<shared>)
      text += fmt::format("| {} | {} | answers after 64 attempts: {} | | | | | |\n", name,
                          n, f.contended_lookups());
  }
}

}  // namespace

std::string erasing(const request& r) {
  std::string text =
      "| kind | keys | | plain | 1 thread | ratio | 2 threads | 2 against 1 |\n"
      "|---|---|---|---|---|---|---|---|\n";
  [&]<class... Fs>(detail::type_list<Fs...>) {
    (rows<Fs>(r, text), ...);
  }(detail::filtered<filter_types, is_shared_and_erases>::type{});
  return text;
}

}  // namespace bloomery::bench
