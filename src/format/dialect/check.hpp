// What every header codec needs: refusals in the same words, and sizes that do not lie.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>

#include "format/dialect/dialect.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

inline error damaged(const char* what, std::uint64_t at) noexcept {
  return {errc::corrupt, what, at};
}
inline error too_short(std::uint64_t size, std::uint64_t header) noexcept {
  return {errc::corrupt, "shorter than the header", size, static_cast<double>(header),
          static_cast<double>(size)};
}
// `what` names the option: "the bytes do not record the number of hashes: give it".
inline error missing(const char* what) noexcept { return {errc::invalid_argument, what}; }

// Whether `count` elements of `each` bytes follow `header` and end the file.
inline result<void> check_length(std::uint64_t size, std::uint64_t header,
                                 std::uint64_t count, std::uint64_t each) noexcept {
  const std::uint64_t found = size - header;
  if (count > found / each)
    return error{errc::corrupt, "truncated: fewer bytes than the header promises", size,
                 static_cast<double>(count) * static_cast<double>(each),
                 static_cast<double>(found)};
  if (count * each != found)
    return error{errc::corrupt, "trailing bytes after the filter", header + count * each,
                 static_cast<double>(count * each), static_cast<double>(found)};
  return {};
}

// `found`: what the bytes say they are.
inline result<void> check_variant(const foreign_options& o, const char* found) noexcept {
  if (!o.variant.empty() && o.variant != found)
    return error{errc::invalid_argument, "the bytes are of another variant"};
  return {};
}

template <auto Inspect>
likeness possible_if_inspected(std::span<const std::byte> bytes) noexcept {
  return Inspect(bytes, foreign_options{}) ? likeness::possible : likeness::no;
}

struct bloom_size {
  std::uint64_t bits;
  std::uint32_t hashes;
};

// What most of these formats hold: bits beyond this are refused when one is made.
inline constexpr double max_bits = 0x1p46;

inline result<bloom_size> checked_size(double bits, double hashes) noexcept {
  if (!(bits >= 1) || !(hashes >= 1) || !(hashes <= 0xffffffff))
    return error{errc::invalid_argument, "at least one bit and one hash are needed"};
  if (bits > max_bits) return error{errc::too_large, "too many bits", 0, bits, max_bits};
  if (hashes > static_cast<double>(max_probes))
    return error{errc::invalid_argument, "more hashes than any filter has", 0, hashes,
                 static_cast<double>(max_probes)};
  return bloom_size{model::saturated<std::uint64_t>(bits),
                    model::saturated<std::uint32_t>(hashes)};
}

inline result<void> check_request(const foreign_params& p) noexcept {
  if (p.fpr && !(*p.fpr > 0 && *p.fpr < 1))
    return error{errc::invalid_argument, "the rate must lie between 0 and 1", 0, *p.fpr};
  if (p.bits_per_key && !(*p.bits_per_key > 0 && std::isfinite(*p.bits_per_key)))
    return error{errc::invalid_argument, "bits per key must be a positive number", 0,
                 *p.bits_per_key};
  if (p.bits && *p.bits == 0)
    return error{errc::invalid_argument, "the number of bits must be at least 1"};
  if (p.hashes && *p.hashes == 0)
    return error{errc::invalid_argument, "the number of hashes must be at least 1"};
  if (!p.bits && p.keys == 0)
    return error{errc::invalid_argument, "the number of keys must be at least 1"};
  return {};
}

inline constexpr double default_fpr = 0.01;

// By the owner's formulas: bits_for(n, p), and hashes_for(m, n, p), whose p is none where
// it was not p that m followed from.  Bits and hashes that are given explicitly are taken
// as they are.
template <class BitsFor, class HashesFor>
result<bloom_size> owner_size(const foreign_params& p, double usual_fpr, BitsFor bits_for,
                              HashesFor hashes_for) noexcept {
  if (auto ok = check_request(p); !ok) return ok.error();
  const double n = static_cast<double>(p.keys);
  std::optional<double> fpr;
  if (!p.bits && !p.bits_per_key) fpr = p.fpr.value_or(usual_fpr);
  const double bits = p.bits           ? static_cast<double>(*p.bits)
                      : p.bits_per_key ? std::ceil(n * *p.bits_per_key)
                                       : bits_for(n, *fpr);
  const double hashes = p.hashes      ? static_cast<double>(*p.hashes)
                        : p.keys != 0 ? hashes_for(bits, n, fpr)
                                      : 0;
  return checked_size(bits, hashes);
}

inline double exact_bits(double n, double fpr) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  return -n * std::log(fpr) / (ln2 * ln2);
}
inline double classic_bits(double n, double fpr) noexcept {
  return std::ceil(exact_bits(n, fpr));
}
inline double truncated_bits(double n, double fpr) noexcept {
  return std::trunc(exact_bits(n, fpr));
}

// As owner_size with classic_bits; k by the dialect from m / n.
template <class HashesFor>  // double(double bits_per_key)
result<bloom_size> classic_size(const foreign_params& p, HashesFor hashes_for) noexcept {
  return owner_size(
      p, default_fpr, classic_bits,
      [&](double bits, double n, std::optional<double>) { return hashes_for(bits / n); });
}

}  // namespace bloomery::format
