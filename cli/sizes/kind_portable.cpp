// The portable filter: its format keeps some promises only, and the tool says which.
#include <fmt/core.h>

#include <string>

#include <bloomery/detail/probe/portable_probe.hpp>
#include <bloomery/sizing.hpp>

#include "sizes/kinds.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

std::string because(const portable_promise& p, bloom_layout layout) {
  using cause = portable_promise::cause;
  switch (p.why) {
    case cause::double_hashing:
      return fmt::format("double hashing adds a floor of about 1/m (m = {} bits)",
                         layout.bits);
    case cause::short_halves:
      return fmt::format("its 32-bit hash halves cannot cover m = {} bits evenly",
                         layout.bits);
    case cause::none:
      break;
  }
  return "of its rounding";
}

// A rate of two digits that the format keeps, and nearly the lowest.
std::string instead(std::uint64_t keys) {
  const double kept = smallest_kept_fpr(keys);
  for (double fpr = kept; fpr < 0.5; fpr *= 1.03) {
    const std::string text = fmt::format("{:.2g}", fpr);
    const double rounded = std::stod(text);
    const auto layout = size_by_rate(keys, rounded);
    if (layout && promise_of(*layout, keys, rounded).is_kept())
      return fmt::format("--fpr {} would be kept", text);
  }
  return fmt::format("no rate is kept for {} keys; {}", keys,
                     keys < 10'000 ? "give --capacity room to grow"
                                   : "spread them over several filters");
}

void judge(const portable_promise& p, bloom_layout layout, std::uint64_t keys,
           bool force) {
  if (p.is_kept()) return;
  const std::string truth = fmt::format(
      "{} keys at --fpr {:.3g} would really get {:.3g} ({:.3g} times as much) in the "
      "portable format, because {}; {}",
      keys, p.asked_fpr, p.true_fpr, p.ratio(), because(p, layout), instead(keys));
  if (p.is_refused(keys) && !force)
    throw failure(fmt::format("refused: {}; --force builds it anyway", truth));
  warn(truth);
}

result<bloom_layout> layout_of(std::uint64_t keys, const size_request& size) {
  if (size.memory) return size_by_memory(keys, *size.memory);
  if (size.bits_per_key) return size_by_bits_per_key(keys, *size.bits_per_key);
  return size_by_rate(keys, size.fpr.value_or(default_fpr));
}

result<double> need(std::uint64_t keys, const size_request& size) {
  const auto layout = layout_of(keys, size);
  if (layout) return static_cast<double>(layout->bits) / 8;
  if (layout.error().code == errc::too_large) return layout.error().asked / 8;
  return layout.error();
}

any_filter make(std::uint64_t keys, const size_request& size, const hasher&) {
  const auto layout = layout_of(keys, size);
  if (!layout) throw failure(describe("portable", layout.error()));
  if (!size.memory && !size.bits_per_key) {
    const double asked = size.fpr.value_or(default_fpr);
    judge(promise_of(*layout, keys, asked), *layout, keys, size.force);
  }
  auto made = portable_bloom::make(*layout, keys);
  if (!made) throw failure(describe("portable", made.error()));
  return any_filter(*std::move(made));
}

}  // namespace

constinit const kind portable_kind{
    .name = "portable",
    .summary = "the cross-language Bloom filter",
    .hasher = hasher::fnv1a_splitmix,
    .takes_hash = false,
    .takes_profile = false,
    .min_bytes = 1,
    .max_bytes = static_cast<double>(portable_probe::max_bits) / 8,
    .need = need,
    .make = make,
};

}  // namespace bloomery::cli
