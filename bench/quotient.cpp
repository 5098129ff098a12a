// bench_quotient: quotient filters as wholes, against inserting their keys again.
//
//   bench_quotient                    two filters of 10,000,000 keys each, at 1 %
//   bench_quotient --keys 1000000     of 1,000,000 each
//
// Merged into one sized for both; listed; doubled.  Times per key of the result, and
// ratios within one run.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <bloomery/quotient.hpp>

#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

constexpr double fpr = 0.01;

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}
void must(const result<void>& r) {
  if (!r) throw std::runtime_error(r.error().what);
}

std::vector<key> some_keys(std::uint64_t seed, std::size_t n) {
  std::vector<key> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = key::from_bits(splitmix64(seed + i));
  return out;
}

void insert_all(quotient& f, std::span<const key> ks) {
  if (f.try_insert(ks) != ks.size()) throw std::runtime_error("the keys do not fit");
}

void measure(std::size_t n, unsigned rounds) {
  const auto ks = some_keys(1, 2 * n);
  const std::span first = std::span(ks).first(n), second = std::span(ks).last(n);
  const auto layout = must(size_quotient_by_rate(2 * n, fpr));
  auto a = must(quotient::make(layout)), b = must(quotient::make(layout));
  insert_all(a, first);
  insert_all(b, second);
  auto whole = must(a.clone());
  must(whole.merge(b));
  // Each full: one of them must be doubled before it can take the other.
  const auto half = must(size_quotient_by_rate(n, fpr));
  auto c = must(quotient::make(half)), d = must(quotient::make(half));
  insert_all(c, first);
  insert_all(d, second);

  std::optional<quotient> to;
  const auto copy_of = [&](const quotient& f) {
    return [&to, &f] {
      to.reset();
      to = must(f.clone());
    };
  };
  struct row {
    std::string_view what;
    task timed;
  };
  const std::vector<row> rows{
      {"merge: both of half the keys, room for all",
       {2 * n,
        [&] {
          must(to->merge(b));
          return to->slots();
        },
        copy_of(a)}},
      {"the second's keys inserted, batched",
       {2 * n,
        [&] {
          insert_all(*to, second);
          return to->slots();
        },
        copy_of(a)}},
      {"the second's fingerprints listed and inserted",
       {2 * n,
        [&] {
          b.for_each([&](std::uint64_t f, std::uint64_t count) {
            for (; count != 0; --count) must(to->try_insert(layout.key_of(f)));
          });
          return to->slots();
        },
        copy_of(a)}},
      {"all keys inserted, batched",
       {2 * n,
        [&] {
          to = must(quotient::make(layout));
          insert_all(*to, ks);
          return to->slots();
        },
        [&] { to.reset(); }}},
      {"doubled, then merge: both full",
       {2 * n,
        [&] {
          must(to->grow());
          must(to->merge(d));
          return to->slots();
        },
        copy_of(c)}},
      {"doubled, then the second's keys inserted, batched",
       {2 * n,
        [&] {
          must(to->grow());
          insert_all(*to, second);
          return to->slots();
        },
        copy_of(c)}},
      {"all listed",
       {2 * n,
        [&] {
          std::uint64_t sum = 0;
          whole.for_each([&](std::uint64_t f, std::uint64_t count) { sum += f * count; });
          return sum;
        }}},
  };
  std::vector<task> tasks;
  for (const row& r : rows) tasks.push_back(r.timed);
  const auto t = interleave(tasks, rounds);
  require_present(whole, ks, "quotient");
  must(b.merge(a));
  require_present(b, ks, "quotient, merged");
  fmt::print("{} + {} keys, {} bits of remainder, kernel {}, {} rounds; medians\n\n", n,
             n, layout.remainder_bits, quotient::kernel_name(), rounds);
  fmt::print("| | ns per key | times merge |\n|---|---|---|\n");
  for (std::size_t i = 0; i < rows.size(); ++i)
    fmt::print("| {} | {:.2f} | {:.2f} |\n", rows[i].what, t[i].median,
               t[i].median / t[0].median);
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  std::size_t n = 10'000'000;
  unsigned rounds = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--keys") == 0)
      n = std::strtoull(argv[i + 1], nullptr, 10);
    else if (std::strcmp(argv[i], "--rounds") == 0)
      rounds = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  fmt::print("{}\n", bloomery::bench::describe_machine());
  bloomery::bench::measure(n, rounds);
  fmt::print("\n{}", bloomery::bench::describe_load_at_end());
}
