// Counting filters: the rates and sizes of the filters of bits that they become.
#include <bloomery/detail/kind/counting/sizing.hpp>

#include <algorithm>
#include <cmath>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/model.hpp>

namespace bloomery::inline v1 {
namespace {

constexpr double max_cells = static_cast<double>(counting_shape::max_cells);

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}
error no_width(unsigned bits) noexcept {
  return {errc::invalid_argument, "cells have 4, 8 or 32 bits", 0,
          static_cast<double>(bits), 4};
}
error too_many(double cells, unsigned cell_bits) noexcept {
  return {errc::too_large, "more cells than a filter can have", 0,
          std::max(cells, std::nextafter(max_cells, 2 * max_cells)) * cell_bits / 8,
          max_cells * cell_bits / 8};
}
// `too_large` of a filter of bits, whose sizes are in units of so many bits.
error of_cells(error e, unsigned cell_bits, double unit_bits) noexcept {
  return e.code == errc::too_large ? too_many(e.asked * unit_bits, cell_bits) : e;
}

counting_shape lines(std::uint64_t blocks, unsigned cell_bits) noexcept {
  return {blocks * counting_shape::block_cells, cell_layout::line, cell_bits,
          counting_shape::line_hashes};
}
counting_shape scattered(bloom_layout l, unsigned cell_bits) noexcept {
  return {l.bits, cell_layout::flat, cell_bits, l.hashes};
}

result<counting_shape> no_larger(counting_shape s) noexcept {
  if (s.cells > counting_shape::max_cells)
    return too_many(static_cast<double>(s.cells), s.cell_bits);
  return s;
}

result<counting_shape> lines_within(std::uint64_t cells, unsigned cell_bits) noexcept {
  if (cells < counting_shape::block_cells)
    return error{errc::invalid_argument, "a filter of lines needs at least one block", 0,
                 static_cast<double>(cells) * cell_bits / 8,
                 static_cast<double>(lines(1, cell_bits).size_in_bytes())};
  return no_larger(lines(cells / counting_shape::block_cells, cell_bits));
}

}  // namespace

result<counting_shape> size_counting_by_rate(std::uint64_t keys, double fpr,
                                             unsigned cell_bits,
                                             cell_layout layout) noexcept {
  if (!is_cell_width(cell_bits)) return no_width(cell_bits);
  if (layout == cell_layout::by_rate) layout = best_cell_layout(fpr);
  if (layout == cell_layout::line) {
    const auto blocks = size_blocks_by_rate(keys, fpr, block_profile::lanes16);
    if (!blocks) return of_cells(blocks.error(), cell_bits, 8);
    return no_larger(lines(blocks->blocks, cell_bits));
  }
  const auto bits = size_bloom_by_rate(keys, fpr);
  if (!bits) return of_cells(bits.error(), cell_bits, 1);
  return no_larger(scattered(*bits, cell_bits));
}

result<counting_shape> size_counting_by_memory(std::uint64_t keys, std::uint64_t bytes,
                                               unsigned cell_bits,
                                               cell_layout layout) noexcept {
  if (!is_cell_width(cell_bits)) return no_width(cell_bits);
  if (keys == 0) return no_keys();
  if (bytes == 0)
    return error{errc::invalid_argument, "a filter needs at least one byte", 0, 0, 1};
  if (bytes > counting_shape::max_cells / 8 * cell_bits)
    return too_many(static_cast<double>(bytes) * 8 / cell_bits, cell_bits);
  const std::uint64_t cells =
      cell_bits == 4 ? 2 * bytes : std::max<std::uint64_t>(bytes * 8 / cell_bits, 1);
  if (cells * cell_bits > 8 * bytes)
    return error{errc::invalid_argument, "a filter needs at least one cell", 0,
                 static_cast<double>(bytes), static_cast<double>(cell_bits) / 8};
  if (layout == cell_layout::line) return lines_within(cells, cell_bits);
  if (layout == cell_layout::by_rate && cells >= counting_shape::block_cells) {
    const auto s = lines_within(cells, cell_bits);
    const double rate = model::counting_fpr(*s, static_cast<double>(keys));
    if (best_cell_layout(rate) == cell_layout::line) return s;
  }
  const auto bits = size_bloom_by_bits(keys, cells);
  if (!bits) return of_cells(bits.error(), cell_bits, 1);
  return scattered(*bits, cell_bits);
}

result<void> check_counting_shape(const counting_shape& s) noexcept {
  if (!is_cell_width(s.cell_bits)) return no_width(s.cell_bits);
  if (s.layout != cell_layout::line && s.layout != cell_layout::flat)
    return error{errc::invalid_argument, "an exact shape names its layout"};
  if (s.cells == 0 || s.hashes == 0)
    return error{errc::invalid_argument, "a filter needs at least one cell and one hash"};
  if (s.is_line() && (s.cells % counting_shape::block_cells != 0 ||
                      s.hashes != counting_shape::line_hashes))
    return error{errc::invalid_argument,
                 "lines are whole blocks of 128 cells, of which a key has 8"};
  if (s.hashes > counting_shape::max_hashes)
    return error{errc::too_large, "more hashes than a filter can have", 0,
                 static_cast<double>(s.hashes),
                 static_cast<double>(counting_shape::max_hashes)};
  if (s.cells > counting_shape::max_cells)
    return too_many(static_cast<double>(s.cells), s.cell_bits);
  return {};
}

double model::counting_fpr(const counting_shape& s, double keys) noexcept {
  return s.is_line() ? block_fpr(s.published(), keys)
                     : bloom_fpr(static_cast<double>(s.cells), s.hashes, keys);
}

}  // namespace bloomery::inline v1
