// The smallest sets: a filter of tens to thousands of keys in bare bytes, with a tail of
// five.  For engines that keep a filter for every few kilobytes of data, as LevelDB does.
//
//   auto f = bloomery::tiny_filter::build(keys, 9);           // rate 2^-9
//   if (bloomery::tiny_filter::may_contain(f->bytes(), k)) ...
//
// Every key is an equation over the bits of at most 56 neighbouring slots; `columns` such
// systems of equations are stored side by side.  Rate 2^-columns, whatever the keys; 1.0
// to 1.05 slots per key.  The bytes are a contract: spec/tiny_filter.md.
//
// "Definitely not" is answered only by bytes whose checksum is right.  So a lookup of an
// absent key reads the whole filter: 10 ns for 50 bytes, about 1 us for 10,000 keys.
// Immutable, without sentinels or hasher.  A filter in a separate file: block_bloom.hpp,
// ribbon.hpp.
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
  static constexpr std::size_t tail_bytes = 5;  // seed, checksum and number of columns

  // A filter of all of `keys`; equal ones that follow each other count once.  Some 150 ns
  // per key.  Errors: invalid_argument (no keys, columns not in [1, max_columns]),
  // too_large, out_of_memory, unattainable (no equations of any size are solvable, which
  // only keys that were chosen for it can bring about).
  static result<pages> build(std::span<const key> keys, unsigned columns) noexcept;

  // The most columns that a filter of so many distinct keys has in so many bytes, unless
  // its equations need a second size, which is rare; 0: not one.
  static unsigned columns_within(std::size_t keys, std::size_t bytes) noexcept;

  // Bytes that build() has not made answer true, "possibly present": all but one in 2^29
  // of those that have the form of a filter.
  static bool may_contain(std::span<const std::byte> filter, key k) noexcept;

  // What the bytes say; no columns if they have not the form of a tiny filter.
  struct shape {
    unsigned columns = 0;
    unsigned seed = 0;
    std::uint64_t slots = 0;
  };
  static shape shape_of(std::span<const std::byte> filter) noexcept;

  // Whether they have that form, and the checksum is right.
  static bool is_intact(std::span<const std::byte> filter) noexcept;

  // 2^-columns; 1 if the bytes are not an intact tiny filter.
  static double fpr(std::span<const std::byte> filter) noexcept;
};

}  // namespace bloomery::inline v1
