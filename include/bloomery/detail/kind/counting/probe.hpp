// Which cells of a counting filter a key has, and what is done to them: the definition
// (spec/filters.md, section 8).  Kernels for lines of 4-bit cells do the same, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/bloom/probe.hpp>
#include <bloomery/detail/kind/counting/cell_words.hpp>
#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {
namespace cell_probe {

// `count` reports this for a key that may have been inserted any number of times.
inline constexpr std::uint64_t unknown_count = std::numeric_limits<std::uint64_t>::max();

// The distinct cells of one key.
struct key_cells {
  std::uint64_t at[counting_shape::max_hashes];
  unsigned count = 0;

  const std::uint64_t* begin() const noexcept { return at; }
  const std::uint64_t* end() const noexcept { return at + count; }
};

// Cell 0 .. 127 of lane j in its block.
BLOOMERY_INLINE std::uint64_t cell_of_lane(std::uint64_t h, unsigned j) noexcept {
  return 16 * j + (static_cast<std::uint32_t>(h) * block_salt[j] >> 28);
}

inline key_cells line_cells(key k, const counting_shape& s) noexcept {
  const std::uint64_t h = k.bits();
  const std::uint64_t first =
      block_probe::high_product(h, s.blocks()) * counting_shape::block_cells;
  key_cells out;
  for (; out.count < counting_shape::line_hashes; ++out.count)
    out.at[out.count] = first + cell_of_lane(h, out.count);
  return out;
}

inline key_cells flat_cells(key k, const counting_shape& s) noexcept {
  key_cells out;
  auto walk = bloom_probe(s.cells).start(k);
  for (std::uint32_t i = 0; i < s.hashes; ++i, walk.advance(s.cells)) {
    bool is_new = true;
    for (const std::uint64_t c : out) is_new = is_new && c != walk.at;
    if (is_new) out.at[out.count++] = walk.at;
  }
  return out;
}

inline key_cells cells_of(key k, const counting_shape& s) noexcept {
  return s.is_line() ? line_cells(k, s) : flat_cells(k, s);
}

// The walk over a key's cells in the layout flat: that of the classic filter, and
// `bit_in` is whether the cell is not 0.  Cells may come twice, which does not matter
// to lookups.
template <class Words>
class flat_probe {
 public:
  struct sequence : bit_position {  // of the cell's lowest bit
    std::uint64_t state;
    void advance(std::uint64_t cells) noexcept {
      state *= bloom_probe::multiplier;
      at = Words::width * block_probe::high_product(state, cells);
    }
    unsigned bit_in(const std::byte* data) const noexcept {
      const auto word = words::load_le<std::uint64_t>(data + this->word());
      return (word >> (at & 63) & Words::cell_mask) != 0;
    }
  };

  explicit flat_probe(std::uint64_t cells) noexcept : cells_(cells) {}
  std::uint64_t range() const noexcept { return cells_; }
  sequence start(key k) const noexcept {
    sequence w{{0}, k.bits() | 1};
    w.advance(cells_);
    return w;
  }

 private:
  std::uint64_t cells_;
};

// Word w of an array of so many cells, without what lies beyond the last.
template <class Words>
std::uint64_t word_of(Words, const std::byte* data, std::uint64_t w,
                      std::uint64_t cells) noexcept {
  const auto word = words::load_le<std::uint64_t>(data + 8 * w);
  const std::uint64_t left = cells - w * Words::per_word;
  if (left >= Words::per_word) return word;
  return word & ((std::uint64_t{1} << left * Words::width) - 1);
}

// --- one key ---
template <class Words>
bool may_contain(Words, const std::byte* data, const key_cells& cells) noexcept {
  for (const std::uint64_t c : cells)
    if (Words::get(data, c) == 0) return false;
  return true;
}
template <class Words>
void insert(Words, std::byte* data, const key_cells& cells) noexcept {
  for (const std::uint64_t c : cells) Words::up(data, c);
}
// False: a cell is 0, and nothing has changed.
template <class Words>
bool erase(Words words, std::byte* data, const key_cells& cells) noexcept {
  if (!may_contain(words, data, cells)) return false;
  for (const std::uint64_t c : cells) Words::down(data, c);
  return true;
}
// The minimum of the cells; unknown_count if all are stuck.
template <class Words>
std::uint64_t count(Words, const std::byte* data, const key_cells& cells) noexcept {
  std::uint64_t least = unknown_count;
  for (const std::uint64_t c : cells)
    least = Words::get(data, c) < least ? Words::get(data, c) : least;
  return least >= Words::sticky ? unknown_count : least;
}

}  // namespace cell_probe
}  // namespace bloomery::inline v1
