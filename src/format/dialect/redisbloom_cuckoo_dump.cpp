// The dumps of redisbloom_cuckoo: header and slots, in pieces.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/redis_sub_filter.hpp"

namespace bloomery::inline v1 {

using namespace format::redis;  // NOLINT: sub-filters of this dialect, in its own file

namespace {

constexpr std::uint64_t first_piece = std::uint64_t{1} << 20;

}  // namespace

result<redisbloom_cuckoo> redisbloom_cuckoo::from_header(
    std::span<const std::byte> header, std::uint64_t max_bytes) noexcept {
  using format::damaged;
  if (header.size() != header_bytes)
    return damaged("a header has 38 bytes", header.size());
  base::byte_reader in(header);
  redisbloom_cuckoo f;
  f.keys_ = in.read<std::uint64_t>();
  f.buckets_ = in.read<std::uint64_t>();
  f.erased_ = in.read<std::uint64_t>();
  const auto filters = in.read<std::uint64_t>();
  f.slots_ = in.read<std::uint16_t>();
  f.kicks_ = in.read<std::uint16_t>();
  f.growth_ = in.read<std::uint16_t>();
  if (!std::has_single_bit(f.buckets_) || f.buckets_ > max_part)
    return damaged("the number of buckets is no power of two, or too large", 8);
  if (filters == 0 || filters > max_filters)
    return damaged("the number of sub-filters is not in 1 .. 65535", 24);
  if (f.slots_ == 0 || f.slots_ > 255) return damaged("a bucket has 1 to 255 slots", 32);
  if (f.growth_ == 0 ? filters != 1 : !std::has_single_bit(f.growth_))
    return damaged("an expansion that no writer grows by", 36);
  // Sub-filters that claim terabytes are refused before there is one.
  std::uint64_t buckets = f.buckets_;
  for (std::uint64_t i = 0; i < filters; ++i) {
    const std::uint64_t bytes = buckets * f.slots_;
    if (bytes > max_part || bytes > max_bytes - std::min(max_bytes, f.bytes_))
      return beyond_limit(static_cast<double>(f.bytes_) + static_cast<double>(bytes),
                          std::min(max_bytes, max_part));
    f.bytes_ += bytes;
    buckets *= std::max<std::uint16_t>(f.growth_, 1);
  }
  if (f.keys_ > f.bytes_) return damaged("more items than slots", 0);
  buckets = f.buckets_;
  for (std::uint64_t i = 0; i < filters; ++i) {
    if (auto ok = f.parts_.push({buckets, buckets * f.slots_, pages()}); !ok)
      return ok.error();
    buckets *= std::max<std::uint16_t>(f.growth_, 1);
  }
  return f;
}

void redisbloom_cuckoo::encode_header(std::span<std::byte> out) const noexcept {
  base::byte_writer to(out);
  to.write(keys_);
  to.write(buckets_);
  to.write(erased_);
  to.write(std::uint64_t{parts_.size()});
  to.write(slots_);
  to.write(kicks_);
  to.write(growth_);
}

std::span<const std::byte> redisbloom_cuckoo::bytes_at(
    std::uint64_t offset) const noexcept {
  std::uint64_t before = 0;
  for (const part& p : parts_) {
    if (offset - before < p.bytes) {
      const std::uint64_t known = std::min(p.bytes, loaded_ - std::min(loaded_, before));
      const auto at = static_cast<std::size_t>(offset - before);
      if (at >= known) return {};
      return p.slots.bytes().subspan(at, static_cast<std::size_t>(known) - at);
    }
    before += p.bytes;
  }
  return {};
}

result<void> redisbloom_cuckoo::load(std::uint64_t offset,
                                     std::span<const std::byte> slots) noexcept {
  std::uint64_t before = 0;
  for (part& p : parts_) {
    if (offset < before || offset - before >= p.bytes) {
      before += p.bytes;
      continue;
    }
    const std::uint64_t at = offset - before, end = at + slots.size();
    if (slots.size() > p.bytes - at)
      return error{errc::invalid_argument, "the slots end behind their sub-filter", 0,
                   static_cast<double>(end), static_cast<double>(p.bytes)};
    if (offset > loaded_)
      return error{errc::invalid_argument, "slots before these are not loaded yet", 0,
                   static_cast<double>(offset), static_cast<double>(loaded_)};
    const auto known =
        static_cast<std::size_t>(std::min<std::uint64_t>(slots.size(), loaded_ - offset));
    if (known != 0 && std::memcmp(p.slots.data() + at, slots.data(), known) != 0)
      return error{errc::invalid_argument, "these slots are loaded, and have changed"};
    if (end > p.slots.size()) {
      const std::uint64_t room = std::min(
          p.bytes,
          std::max(end, std::max(first_piece, 2 * std::uint64_t{p.slots.size()})));
      auto larger = pages::make_like(parts_.memory(), static_cast<std::size_t>(room));
      if (!larger) return larger.error();
      if (p.slots.size() != 0)
        std::memcpy(larger->data(), p.slots.data(), p.slots.size());
      p.slots = *std::move(larger);
    }
    if (!slots.empty()) std::memcpy(p.slots.data() + at, slots.data(), slots.size());
    loaded_ = std::max(loaded_, offset + slots.size());
    return {};
  }
  return error{errc::invalid_argument, "the filter has no such slots", 0,
               static_cast<double>(offset), static_cast<double>(bytes_)};
}

}  // namespace bloomery::inline v1
