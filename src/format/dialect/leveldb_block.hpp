// LevelDB's filter block: the filters of a table's data blocks, and where each begins.
//
//   ..   filters, one after the other; that of 2^base_lg bytes without keys is empty
//   ..   u32 each: where filter i begins
//   u32  where those numbers begin, which is where the last filter ends
//   u8   base_lg: a data block at offset o of the table is in filter o >> base_lg
//
// The numbers are checked once, by read(); nothing else looks at bytes it did not check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"

namespace bloomery::format {

class leveldb_block {
 public:
  static constexpr std::uint8_t usual_base_lg = 11;
  static constexpr std::size_t trailer = 5;

  // Errors: corrupt.
  static result<leveldb_block> read(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < trailer) return too_short(bytes.size(), trailer);
    const std::size_t last_word = bytes.size() - trailer;
    const std::uint32_t array = u32_at(bytes, last_word);
    if (array > last_word || (last_word - array) % 4 != 0)
      return damaged("the offset array does not end where it must", last_word);
    const leveldb_block b(bytes, array, (last_word - array) / 4);
    for (std::uint64_t i = 0; i < b.count_; ++i)
      if (b.start(i) > b.start(i + 1))
        return damaged("a filter ends before it begins", array + 4 * i);
    return b;
  }

  // REQUIRES: read() accepted these bytes, whose filters end at `array`.
  leveldb_block(std::span<const std::byte> bytes, std::uint64_t array,
                std::uint64_t count) noexcept
      : bytes_(bytes), array_(array), count_(count) {}

  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t array() const noexcept { return array_; }
  unsigned base_lg() const noexcept { return static_cast<unsigned>(bytes_.back()); }

  // The last offset is followed by that of the array, so filter count() - 1 needs no
  // other rule.  REQUIRES: i <= count()
  std::uint64_t start(std::uint64_t i) const noexcept {
    return u32_at(bytes_, array_ + 4 * i);
  }
  // REQUIRES: i < count()
  std::span<const std::byte> filter(std::uint64_t i) const noexcept {
    return bytes_.subspan(start(i), start(i + 1) - start(i));
  }

 private:
  static std::uint32_t u32_at(std::span<const std::byte> bytes,
                              std::uint64_t at) noexcept {
    return base::byte_reader(bytes.subspan(at)).read<std::uint32_t>();
  }

  std::span<const std::byte> bytes_;
  std::uint64_t array_, count_;
};

// A block of these filters, in the order of their data; empty ones have no keys.
// Errors: too_large, out_of_memory.
inline result<pages> leveldb_filter_block(
    std::span<const std::span<const std::byte>> filters,
    std::uint8_t base_lg = leveldb_block::usual_base_lg) noexcept {
  std::uint64_t cells = 0;
  for (const auto f : filters) cells += f.size();
  if (cells > 0xffffffff)
    return error{errc::too_large, "the offsets of a filter block have 32 bits", 0,
                 static_cast<double>(cells), 0xffffffff};
  auto image = pages::make(cells + 4 * filters.size() + leveldb_block::trailer);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  for (const auto f : filters) out.write(f);
  std::uint32_t start = 0;
  for (const auto f : filters) {
    out.write(start);
    start += static_cast<std::uint32_t>(f.size());
  }
  out.write(start);
  out.write(base_lg);
  return image;
}

}  // namespace bloomery::format
