// The block filter, one cache line per key: single keys, batches, several threads, a
// filter folded to fit, and one key looked up in many filters.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <bloomery/bloomery.hpp>

namespace {

using bloomery::block_bloom;

int report(const bloomery::error& e) {
  std::fprintf(stderr, "%s (requested %g, possible %g)\n", e.what, e.asked, e.possible);
  return 1;
}

std::vector<bloomery::key> keys_of(const block_bloom& f, std::uint64_t from,
                                   std::uint64_t count) {
  std::vector<bloomery::key> keys;
  for (std::uint64_t i = from; i < from + count; ++i)
    keys.push_back(f.hash("row " + std::to_string(i)));
  return keys;
}

// The answers of a batch as bits: 64 keys a word, ready to and with those of others.
std::uint64_t count_perhaps(const block_bloom& f, std::span<const bloomery::key> keys) {
  std::vector<std::uint64_t> bitmap((keys.size() + 63) / 64);
  f.may_contain(keys, bitmap);
  std::uint64_t perhaps = 0;
  for (const std::uint64_t word : bitmap)
    perhaps += static_cast<std::uint64_t>(std::popcount(word));
  return perhaps;
}

}  // namespace

int main() {
  constexpr std::uint64_t n = 200'000;
  auto made = block_bloom::make({.keys = n, .fpr = 0.01});
  if (!made) return report(made.error());
  block_bloom& seen = *made;
  seen.insert("alice");
  std::printf("alice: %s\n",
              seen.may_contain("alice") ? "possibly present" : "definitely not present");

  // Batches: the memory accesses of different keys overlap.
  const auto in = keys_of(seen, 0, n), out = keys_of(seen, n, n);
  seen.insert(in);
  std::printf(
      "%.2f bits per key; found %.0f of %.0f; false positives %.0f, predicted %.0f\n",
      static_cast<double>(seen.bits()) / n, static_cast<double>(count_perhaps(seen, in)),
      double{n}, static_cast<double>(count_perhaps(seen, out)), seen.realised_fpr() * n);

  // Built by 4 threads, which share no line: the same bits for any number of threads.
  // Foldable, because it is sized for eight times the keys that will come.
  auto large = block_bloom::build(in, {.keys = 8 * n, .foldable = true}, 4);
  if (!large) return report(large.error());
  const auto before = large->size_in_bytes();
  const auto divisor = large->fold_to_rate(0.01);
  if (!divisor) return report(divisor.error());
  std::printf("folded by %.0f: %zu -> %zu bytes, rate now %.4f\n",
              static_cast<double>(*divisor), before, large->size_in_bytes(),
              large->realised_fpr());

  // One key looked up in many filters, hashed once: the levels of an LSM tree.
  const std::array<const block_bloom*, 2> levels{&seen, &*large};
  const auto set = bloomery::filter_set<block_bloom>::make(levels);
  if (!set) return report(set.error());
  std::uint64_t matches = 0;
  set->may_contain("alice", {&matches, 1});
  std::printf("alice may be in level 0: %s, in level 1: %s\n",
              (matches & 1) != 0 ? "yes" : "no", (matches & 2) != 0 ? "yes" : "no");
  return count_perhaps(seen, in) == n && count_perhaps(*large, in) == n ? 0 : 1;
}
