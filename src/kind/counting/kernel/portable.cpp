// The definition: plain C++ on 64-bit words, one for each lane.
#include <bloomery/detail/kind/counting/probe.hpp>

#include "kind/counting/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct portable_cells {
  using cells = cell_probe::cell_words<4>;
  static constexpr unsigned lanes = counting_shape::line_hashes;

  // Where the cell of each lane begins, in bits of its word.
  struct places {
    unsigned shift[lanes];
  };
  static places cells_of(std::uint64_t h) noexcept {
    places p;
    for (unsigned j = 0; j < lanes; ++j)
      p.shift[j] = static_cast<std::uint32_t>(h) * block_salt[j] >> 28 << 2;
    return p;
  }
  static places cells_at(const key* k) noexcept { return cells_of(k->bits()); }

  static std::uint64_t load(const std::byte* line, unsigned j) noexcept {
    return words::load_le<std::uint64_t>(line + 8 * j);
  }
  static void store(std::byte* line, unsigned j, std::uint64_t word) noexcept {
    words::store(line + 8 * j, words::as_little_endian(word));
  }
  static bool test(const std::byte* line, const places& p) noexcept {
    bool all = true;
    for (unsigned j = 0; j < lanes; ++j)
      all &= (load(line, j) >> p.shift[j] & cells::cell_mask) != 0;
    return all;
  }
  static void up(std::byte* line, const places& p) noexcept {
    for (unsigned j = 0; j < lanes; ++j)
      store(line, j, load(line, j) + cells::step(load(line, j), p.shift[j]));
  }
  static bool down(std::byte* line, const places& p) noexcept {
    if (!test(line, p)) return false;
    for (unsigned j = 0; j < lanes; ++j)
      store(line, j, load(line, j) - cells::step(load(line, j), p.shift[j]));
    return true;
  }
};

}  // namespace

constinit const counting_kernel counting_portable =
    counting_loops_of<portable_cells>::table("portable");

}  // namespace bloomery::kernel
