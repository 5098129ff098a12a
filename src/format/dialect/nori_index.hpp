// The index of one of nori's tables: for each block { varint length, first key, u64
// offset, u32 size }, and at the end a u32, the number of blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/varint.hpp"

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
    if (left_ == 0 || !ok_) return false;
    --left_;
    const std::size_t begin = in_.offset();
    const auto length = base::read_varint(in_);
    if (!length) return fail(begin);
    const auto key = in_.take(static_cast<std::size_t>(
        std::min<std::uint64_t>(*length, std::numeric_limits<std::size_t>::max())));
    b.first_key = {reinterpret_cast<const char*>(key.data()), key.size()};
    b.at = in_.read<std::uint64_t>();
    b.size = in_.read<std::uint32_t>();
    return in_.ok() || fail(in_.offset());
  }
  // The offset of the next entry, or of the end of the last field that fits.
  std::size_t offset() const noexcept { return ok_ ? in_.offset() : failed_at_; }
  bool ok() const noexcept { return ok_; }
  bool ended() const noexcept { return ok() && left_ == 0 && in_.left() == 0; }

 private:
  bool fail(std::size_t at) noexcept {
    failed_at_ = at;
    return ok_ = false;
  }

  base::byte_reader in_;
  std::uint32_t left_ = 0;
  std::size_t failed_at_ = 0;
  bool ok_ = true;
};

}  // namespace bloomery::format::nori
