// The smallest sets: a filter of tens to thousands of keys in bare bytes, with one byte
// of header.  For engines that keep a filter for every few kilobytes of data, as LevelDB
// does.
//
//   auto f = bloomery::tiny_filter::build(keys, 9);           // rate 2^-9
//   if (bloomery::tiny_filter::may_contain(f->bytes(), k)) ...
//
// Every key is an equation over the bits of at most 64 neighbouring slots; `columns` such
// systems of equations are stored side by side.  Rate 2^-columns, whatever the keys; 1.02
// to 1.1 slots per key from 37 keys up.  The bytes are a contract: spec/tiny_filter.md.
//
// Immutable, without checksum, sentinels or hasher: the engine around it has those.  A
// filter in a separate file: block_bloom.hpp, ribbon.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT tiny_filter {
 public:
  static constexpr unsigned max_columns = 27;
  static constexpr std::size_t max_keys = std::size_t{1} << 28;

  // A filter of all of `keys`; equal ones that follow each other count once.  Some 100 ns
  // per key.  Errors: invalid_argument (no keys, columns not in [1, max_columns]),
  // too_large, out_of_memory, unattainable (no equations of any size are solvable, which
  // only keys that were chosen for it can bring about).
  static result<pages> build(std::span<const key> keys, unsigned columns) noexcept;

  // Bytes that build() cannot have made answer true: "possibly present".
  static bool may_contain(std::span<const std::byte> filter, key k) noexcept;

  // What the bytes say; no columns if they are not a tiny filter.
  struct shape {
    unsigned columns = 0;
    unsigned seed = 0;
    std::uint64_t slots = 0;
  };
  static shape shape_of(std::span<const std::byte> filter) noexcept;

  // 2^-columns; 1 if the bytes are not a tiny filter.
  static double fpr(std::span<const std::byte> filter) noexcept;
};

}  // namespace bloomery::inline v1
