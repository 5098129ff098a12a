// Which bytes a lookup reads, asked for before they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/block_bits.hpp>
#include <bloomery/block_shape.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_bloom.hpp>

namespace bloomery::format {

// visit(offset) for each block of the key.
template <class Visit>
void for_each_block(block_shape shape, key k, Visit visit) noexcept {
  using namespace block_probe;
  const std::uint64_t h = k.bits();
  switch (shape.profile) {
    case block_profile::line:
      visit(line::offset(h, shape.blocks));
      break;
    case block_profile::two_lines:
      visit(two_lines::offset(h, shape.blocks));
      visit(two_lines::offset(second(h), shape.blocks));
      break;
    case block_profile::split:
      visit(split::offset(h, shape.blocks));
      break;
    default:
      visit(half_line::offset(h, shape.blocks));
      break;
  }
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
