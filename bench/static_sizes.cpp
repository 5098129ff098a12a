// bench_static: bits per key and rates of the filters that are only built, beside the
// information limit.
//
//   bench_static                              100 to 10^8 keys; ten minutes, 3 GiB
//   bench_static --max-keys 1000000          up to a million; a minute
//   bench_static --write docs/model.md        into the document
//
// Each filter is built by two threads; then every one of its keys is looked up (one that
// is not found ends the program), and many that it does not have.  Bits are those of the
// payload: thresholds, rounds and residue counted, container header and checksums not.
// The limit is log2(1 / p) for the target rate p, so a filter that must round its rate
// down pays for it here.  Rows are printed as they are measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/bloomery.hpp>

#include "kit/count.hpp"
#include "kit/document.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

constexpr unsigned threads = 2;

// Keys per batch of lookups; they are computed and not kept.
constexpr std::size_t batch = std::size_t{1} << 16;

struct rate {
  const char* name;
  double fpr;
};
constexpr rate rates[] = {{"2^-4", 0x1p-4}, {"1 %", 0.01},      {"2^-8", 0x1p-8},
                          {"0.1 %", 0.001}, {"2^-12", 0x1p-12}, {"2^-16", 0x1p-16}};

template <class F, class KeyAt>
std::uint64_t positives(const F& f, std::uint64_t count, KeyAt key_at) {
  std::vector<key> some(batch);
  const auto out = std::make_unique<bool[]>(batch);
  std::uint64_t yes = 0;
  for (std::uint64_t first = 0; first < count; first += batch) {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(batch, count - first));
    for (std::size_t i = 0; i < n; ++i) some[i] = key_at(first + i);
    const std::span<bool> answers(out.get(), n);
    f.may_contain(std::span<const key>(some).first(n), answers);
    yes += count_yes(answers);
  }
  return yes;
}

// "bits/key, per cent over the limit; rate": of one filter.
template <class F>
std::string cell(std::span<const key> ks, const typename F::params& p,
                 std::uint64_t absent) {
  const auto built = F::build(ks, p, threads);
  if (!built) throw std::runtime_error(built.error().what);
  const std::uint64_t found =
      positives(*built, ks.size(), [&](std::uint64_t i) { return ks[i]; });
  if (found != ks.size())
    throw std::runtime_error(
        fmt::format("{} keys of {} are denied", ks.size() - found, ks.size()));
  const std::uint64_t hits = positives(*built, absent, [](std::uint64_t i) {
    return key::from_bits(splitmix64(std::uint64_t{1} << 40 | i));
  });
  const double bits =
      8 * static_cast<double>(built->size_in_bytes()) / static_cast<double>(ks.size());
  const double limit = -std::log2(p.fpr);
  return fmt::format(" {:.3f}, {:+.2f} %, {:.2e} |", bits, 100 * (bits / limit - 1),
                     static_cast<double>(hits) / static_cast<double>(absent));
}

std::string row(std::span<const key> ks, const rate& r, std::uint64_t absent) {
  std::string text =
      fmt::format("| {} | {} | {:.3f} |", ks.size(), r.name, -std::log2(r.fpr));
  text += cell<ribbon>(ks, {.fpr = r.fpr}, absent);
  text += cell<ribbon>(ks, {.fpr = r.fpr, .width = 128}, absent);
  text += cell<fuse>(ks, {.fpr = r.fpr}, absent);
  text += cell<fuse>(ks, {.fpr = r.fpr, .arity = 4}, absent);
  text += cell<xor_filter>(ks, {.fpr = r.fpr}, absent);
  return text + "\n";
}

std::string report(std::uint64_t max_keys) {
  constexpr std::uint64_t absent = std::uint64_t{1} << 23;
  std::string text = fmt::format(
      "Bits per key, per cent over the limit, rate measured with {} absent keys; every "
      "key "
      "of every filter was found.\n\n"
      "| keys | target rate | limit | ribbon, w = 64 | ribbon, w = 128 | fuse, 3 slots | "
      "fuse, 4 slots | xor |\n|--:|:--|--:|--:|--:|--:|--:|--:|\n",
      absent);
  fmt::print("{}", text);
  for (std::uint64_t n = 100; n <= max_keys; n *= 10) {
    std::vector<key> ks(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < ks.size(); ++i) ks[i] = key::from_bits(splitmix64(i));
    // Once, instead of in every build.
    std::ranges::sort(ks, {}, &key::bits);
    for (const rate& r : rates) {
      const std::string one = row(ks, r, absent);
      text += one;
      fmt::print("{}", one);
      std::fflush(stdout);
    }
  }
  return text;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  std::uint64_t max_keys = 100'000'000;
  std::string write;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--max-keys") max_keys = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--write") write = argv[i + 1];
  }
  fmt::print("{}\n", describe_machine());
  const std::string text = report(max_keys);  // without a time, so without the load
  fmt::print("\n{}", describe_load_at_end());
  if (!write.empty()) write_between_markers(write, "bench_static", text);
}
