// The engine of the Bloom dialects: one table of bits, and a rule that names a key's.
//
// A rule is a type with
//   template <class Visit>
//   static bool walk(const layout& l, std::string_view key, Visit visit) noexcept;
// that calls visit(bit), bit < l.bits, for each bit of the key in the owner's order until
// it returns false; it returns whether none did.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/bits.hpp"
#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// Where bit i of a table lies.
constexpr std::uint64_t byte_of(std::uint64_t i, bit_order order) noexcept {
  const std::uint64_t byte = i >> 3;
  return order == bit_order::lsb_first ? byte : byte ^ 7;
}
constexpr std::byte mask_of(std::uint64_t i) noexcept {
  return static_cast<std::byte>(1u << (i & 7));
}

// Inserting needs them all: its owner would ask for bits that were not set.
inline result<void> check_insertable(std::uint64_t hashes) noexcept {
  if (hashes <= max_probes) return {};
  return error{errc::unsupported, "more hashes than can be set", 0,
               static_cast<double>(hashes), static_cast<double>(max_probes)};
}

template <class Rule>
bool bloom_may_contain(const layout& l, const image& from,
                       std::string_view key) noexcept {
  if (l.answer != layout::constant::none) return l.answer == layout::constant::always;
  if (l.bits == 0) return false;
  const std::byte* table = from.bytes.data() + l.at;
  return Rule::walk(l, key, [&](std::uint64_t i) noexcept {
    return (table[byte_of(i, l.order)] & mask_of(i)) != std::byte{0};
  });
}

template <class Rule>
result<void> bloom_insert(layout& l, pages& to, std::string_view key) noexcept {
  if (l.bits == 0 || l.answer != layout::constant::none)
    return error{errc::unsupported, "the filter has no bits to set"};
  if (auto ok = check_insertable(l.hashes); !ok) return ok;
  std::byte* table = to.data() + l.at;
  Rule::walk(l, key, [&](std::uint64_t i) noexcept {
    table[byte_of(i, l.order)] |= mask_of(i);
    return true;
  });
  return {};
}

// h, h + step, h + 2 step ... modulo 2^64, each reduced by `reduce`.
template <class Reduce, class Visit>
bool arithmetic_walk(std::uint64_t h, std::uint64_t step, std::uint64_t probes,
                     Reduce reduce, Visit visit) noexcept {
  for (std::uint64_t i = 0; i < probes; ++i, h += step)
    if (!visit(reduce(h))) return false;
  return true;
}

// A sum that its owner keeps in a signed 32-bit integer, and complements if it is
// negative.
constexpr std::uint32_t complement_if_negative(std::uint64_t sum) noexcept {
  const auto c = static_cast<std::uint32_t>(sum);
  return c >> 31 != 0 ? ~c : c;
}

// Keys that left `ones` of `bits` bits set, `hashes` each, by the usual inversion.
inline double keys_from_ones(double ones, double bits, double hashes) noexcept {
  if (ones >= bits) return std::numeric_limits<double>::infinity();
  return -bits / hashes * std::log1p(-ones / bits);
}

// The census of `ones` bits set among l.bits.
inline census bloom_census(const layout& l, double ones) noexcept {
  census c;
  c.cells = static_cast<double>(l.bits);
  c.occupied = std::min(ones, c.cells);
  c.keys = keys_from_ones(c.occupied, c.cells, l.hashes);
  c.fpr = std::pow(c.occupied / c.cells, static_cast<double>(l.hashes));
  return c;
}

// The census of one table; every bit order has the same ones.
inline census bloom_count(const layout& l, const image& from) noexcept {
  if (l.bits == 0 || l.answer != layout::constant::none) {
    census c;
    c.fpr = l.answer == layout::constant::always ? 1 : 0;
    return c;
  }
  const auto table = from.bytes.subspan(l.at, l.length);
  const std::uint64_t inside = std::min<std::uint64_t>(l.bits, 8 * l.length);
  // Big-endian words end in the middle of the last one: bits beyond m are never set.
  return bloom_census(
      l, static_cast<double>(base::count_ones(
             table, l.order == bit_order::lsb_first ? inside : 8 * l.length)));
}

}  // namespace bloomery::format
