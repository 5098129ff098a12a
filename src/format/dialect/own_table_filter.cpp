#include "format/dialect/own_table_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/hasher.hpp>

#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "filter/block_census.hpp"
#include "format/dialect/excerpt.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t trailer = 13;

bool is_listed(block_profile p) noexcept {
  return p >= block_profile::half_line && p <= block_profile::two_lines;
}

template <class Layout>
bool has(const std::byte* blocks, std::uint64_t count, std::uint64_t h) noexcept {
  using block = typename Layout::block;
  alignas(64) std::array<std::byte, block::bytes> one;  // they lie at any address
  std::memcpy(one.data(), blocks + Layout::offset(h, count), one.size());
  return block_probe::portable::test<block>(one.data(),
                                            block_probe::portable::mask_of<block>(h));
}

}  // namespace

bool is_own_table_filter(std::span<const std::byte> bytes) noexcept {
  constexpr std::array mark{std::byte{'b'}, std::byte{'l'}, std::byte{'m'}};
  return bytes.size() >= trailer && bytes[bytes.size() - 5] == std::byte{0} &&
         std::ranges::equal(bytes.last(mark.size()), mark);
}

block_shape own_table_shape(std::span<const std::byte> bytes) noexcept {
  if (!is_own_table_filter(bytes)) return {};
  base::byte_reader end(bytes.last(trailer));
  end.take(4);  // the CRC: the checksum of the engine's block covers it
  block_shape s{end.read<std::uint32_t>(), block_profile::line};
  end.take(1);
  s.profile = static_cast<block_profile>(end.read<std::uint8_t>());
  if (!is_listed(s.profile) || s.blocks == 0 ||
      s.blocks != (bytes.size() - trailer) / s.block_bytes() ||
      s.size_in_bytes() != bytes.size() - trailer)
    return {};
  return s;
}

bool own_table_may_contain(std::span<const std::byte> bytes,
                           std::string_view key) noexcept {
  const block_shape s = own_table_shape(bytes);
  if (s.blocks == 0) return true;
  const std::uint64_t h = hasher::xxh3().hash(key).bits();
  switch (s.profile) {
    case block_profile::half_line:
      return has<block_probe::half_line>(bytes.data(), s.blocks, h);
    case block_profile::line:
      return has<block_probe::line>(bytes.data(), s.blocks, h);
    default:
      return has<block_probe::two_lines>(bytes.data(), s.blocks, h) &&
             has<block_probe::two_lines>(bytes.data(), s.blocks, block_probe::second(h));
  }
}

census own_table_count(std::span<const std::byte> bytes) noexcept {
  const block_shape s = own_table_shape(bytes);
  census c;
  if (s.blocks == 0) return c;
  const auto cells = bytes.first(static_cast<std::size_t>(s.size_in_bytes()));
  c.cells = static_cast<double>(s.bits());
  c.occupied = static_cast<double>(base::count_ones(cells, s.bits()));
  c.keys = c.cells / s.hashes() * -std::log1p(-c.occupied / c.cells);
  return c;
}

double own_table_rate(std::span<const std::byte> bytes) noexcept {
  const block_shape s = own_table_shape(bytes);
  if (s.blocks == 0) return 1;
  const auto aligned = copied(bytes.first(static_cast<std::size_t>(s.size_in_bytes())));
  // Where there is no memory, the rate is not known.
  return aligned ? rate_of_blocks(s, aligned->bytes().data(), 1, 1) : 1;
}

}  // namespace bloomery::format
