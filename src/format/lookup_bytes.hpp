// Which bytes a lookup reads, found out before they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/bloom.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_bloom.hpp>

namespace bloomery::format {

// use(layout) with the layout of the profile: the choice is made once for many keys.
template <class Use>
auto with_layout(block_profile p, Use use) noexcept {
  using namespace block_probe;
  if (p == block_profile::line) return use(line{});
  if (p == block_profile::two_lines) return use(two_lines{});
  if (p == block_profile::split) return use(split{});
  if (p == block_profile::lanes16) return use(lanes16{});
  return use(half_line{});
}

// visit(offset) for each block of the key.
template <class Layout, class Visit>
void for_each_block(Layout, std::uint64_t blocks, key k, Visit visit) noexcept {
  const std::uint64_t h = k.bits();
  visit(Layout::offset(h, blocks));
  if constexpr (Layout::choices == 2)
    visit(Layout::offset(block_probe::second(h), blocks));
}

// Whether every bit of the walk is set; `need(offset)` comes before each is read.
template <class Walk, class Need>
bool all_set_checked(const std::byte* data, Walk w, std::uint64_t hashes,
                     std::uint64_t bits, Need need) noexcept {
  for (; hashes != 0; --hashes, w.advance(bits)) {
    need(w.at >> 3);
    if (w.bit_in(data) == 0) return false;
  }
  return true;
}

}  // namespace bloomery::format
