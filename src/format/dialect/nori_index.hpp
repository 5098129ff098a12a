// The index of one of nori's tables: for each block { varint length, first key, u64
// offset, u32 size }, and at the end a u32, the number of blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"

namespace bloomery::format::nori {

struct block {
  std::string_view first_key;
  std::uint64_t at;
  std::uint32_t size;
};

// The index, entry by entry.  Failure is sticky, as in byte_reader.
class index_reader {
 public:
  // REQUIRES: index.size() >= 4
  explicit index_reader(std::span<const std::byte> index) noexcept
      : in_(index.first(index.size() - 4)) {
    base::byte_reader last(index.last(4));
    left_ = last.read<std::uint32_t>();
  }

  bool next(block& b) noexcept {
    if (left_ == 0 || !in_.ok()) return false;
    --left_;
    const auto key = in_.take(length());
    b.first_key = {reinterpret_cast<const char*>(key.data()), key.size()};
    b.at = in_.read<std::uint64_t>();
    b.size = in_.read<std::uint32_t>();
    return in_.ok();
  }
  std::size_t offset() const noexcept { return in_.offset(); }
  bool ok() const noexcept { return in_.ok(); }
  bool ended() const noexcept { return ok() && left_ == 0 && in_.left() == 0; }

 private:
  std::size_t length() noexcept {
    std::uint64_t v = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const std::uint64_t byte = in_.read<std::uint8_t>();
      v |= (byte & 0x7f) << shift;
      if (byte < 0x80) return static_cast<std::size_t>(v);
    }
    return ~std::size_t{0};  // more than any index holds
  }

  base::byte_reader in_;
  std::uint32_t left_ = 0;
};

}  // namespace bloomery::format::nori
