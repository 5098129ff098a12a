// The rate a filter promises before it is built, and its current rate when it is filled.
// docs/model.md explains the numbers; its table is the first one printed here.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <bloomery/bloomery.hpp>

namespace {

using bloomery::portable_promise;

const char* verdict(const portable_promise& p, std::uint64_t keys) {
  if (p.is_kept()) return "kept";
  return p.is_refused(keys) ? "refused" : "warned";
}

const char* reason(portable_promise::cause why) {
  using enum portable_promise::cause;
  switch (why) {
    case none:
      return "";
    case double_hashing:
      return "double hashing";
    case short_halves:
      return "32-bit halves";
  }
  return "";
}

void promise(std::uint64_t keys, double asked) {
  const auto layout = bloomery::size_by_rate(keys, asked);
  if (!layout) return;
  const auto p = bloomery::promise_of(*layout, keys, asked);
  const auto n = static_cast<double>(keys), m = static_cast<double>(layout->bits);
  const double k = layout->hashes;
  const double textbook = std::pow(1 - std::exp(-k * n / m), k);
  std::printf("%12.0f %8.0e %14.0f %3u %9.3g %9.3g %8.3g  %-7s %s\n", n, asked, m,
              layout->hashes, textbook, p.true_fpr, p.ratio(), verdict(p, keys),
              reason(p.why));
}

}  // namespace

int main() {
  std::puts("        keys   target           bits   k  textbook      true    ratio");
  for (const std::uint64_t keys : {10u, 100u, 1000u, 10'000u, 1'000'000u, 100'000'000u})
    for (const double asked : {0.05, 0.01, 1e-4, 1e-6, 1e-9}) promise(keys, asked);
  for (const std::uint64_t keys : {1'000'000'000u, 4'000'000'000u}) promise(keys, 0.01);

  std::puts("\nSized for 1000 keys at a rate of 0.01, then filled beyond:");
  auto f = bloomery::portable_bloom::make(
      {.keys = 1000, .fpr = 0.01, .source = bloomery::key_source::integers});
  if (!f) return std::puts(f.error().what), 1;
  for (std::uint64_t i = 1; i <= 4000; ++i) {
    f->insert(f->hash_u64(i));
    if (i % 1000 != 0) continue;
    std::printf("%6.0f keys: estimated %6.0f, fill %.3f, expected %.4f, realised %.4f\n",
                static_cast<double>(i), f->estimated_keys(), f->fill(),
                f->expected_fpr(i), f->realised_fpr());
  }
}
