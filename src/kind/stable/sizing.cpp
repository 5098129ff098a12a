// Stable filters: the layout that forgets least.  docs/model.md, docs/decisions/0034.
#include <bloomery/detail/kind/stable/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <bloomery/model.hpp>

namespace bloomery::inline v1 {
namespace {

constexpr double max_bytes = static_cast<double>(stable_shape::max_cells) / 2;
// The best have at most about log2(1 / fpr), and fewer where much is forgotten anyway.
std::uint32_t max_hashes_for(double fpr) noexcept {
  return static_cast<std::uint32_t>(std::min(40.0, std::ceil(-std::log2(fpr)) + 2));
}

error no_rate(double fpr) noexcept {
  return {errc::invalid_argument, "a rate lies between 0 and 1", 0, fpr, 0.01};
}
error no_width(unsigned bits) noexcept {
  return {errc::invalid_argument, "cells of a stable filter have 1, 2 or 4 bits", 0,
          static_cast<double>(bits), 2};
}
bool is_share(double x) noexcept { return x > 0 && x < 1; }
bool is_width(unsigned bits) noexcept {
  return bits == 0 || stable_shape{.cell_bits = bits}.has_width();
}

// P of the rate; above the number of cells if they cannot have it.
double steps_for(double cells, std::uint32_t hashes, unsigned max, double fpr) noexcept {
  if (cells < 2) return 2 * cells;
  const double set = -std::expm1(hashes * std::log1p(-1 / cells));
  const double zeros = -std::expm1(std::log(fpr) / hashes);
  // t / (1 - t) with t = zeros^(1 / max), which may be nearly 1.
  const double log_t = std::log(zeros) / max;
  const double decreased = set * std::exp(log_t) / -std::expm1(log_t);
  return cells * decreased / (1 - set);
}

struct plan {
  stable_shape shape;
  double forgotten = 2;
};

// The best of all shapes within so many bytes; none: no shape has the rate.
std::optional<plan> best_within(double gap, double fpr, std::uint64_t bytes,
                                unsigned cell_bits) noexcept {
  std::optional<plan> best;
  const std::uint32_t most = max_hashes_for(fpr);
  for (const unsigned width : {1u, 2u, 4u}) {
    if (cell_bits != 0 && width != cell_bits) continue;
    const std::uint64_t cells =
        std::min(bytes / width * 8 + bytes % width * 8 / width, stable_shape::max_cells);
    for (unsigned max = 1; max >> width == 0; ++max) {
      for (std::uint32_t hashes = 1; hashes <= most; ++hashes) {
        const auto steps = stable_decrement(cells, hashes, max, fpr);
        if (!steps) continue;
        const stable_shape s{cells, width, max, hashes, *steps};
        const double forgotten = model::stable_forgetting(s, gap);
        if (!best || forgotten < best->forgotten) best = plan{s, forgotten};
      }
    }
  }
  return best;
}

error no_such_rate(double fpr) noexcept {
  return {errc::unattainable, "a stable filter of this memory cannot have the rate", 0,
          fpr};
}

// The least that forgets so few, to one part in 1024; none: more than a filter can have.
std::optional<std::uint64_t> bytes_for(std::uint64_t gap, double fpr, double forgotten,
                                       unsigned cell_bits) noexcept {
  const auto enough = [&](std::uint64_t bytes) noexcept {
    const auto best = best_within(static_cast<double>(gap), fpr, bytes, cell_bits);
    return best && best->forgotten <= forgotten;
  };
  std::uint64_t high = 1;
  while (!enough(high)) {
    if (static_cast<double>(high) * 2 > max_bytes) return std::nullopt;
    high *= 2;
  }
  std::uint64_t low = high / 2;  // not enough
  while (high - low > 1 + high / 1024) {
    const std::uint64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

// What a gap that no filter has would take: memory is proportional to the gap, so that of
// a shorter one says.
double need_beyond(std::uint64_t gap, double fpr, double forgotten,
                   unsigned cell_bits) noexcept {
  for (std::uint64_t shorter = gap >> 10; shorter != 0; shorter >>= 10)
    if (const auto bytes = bytes_for(shorter, fpr, forgotten, cell_bits))
      return static_cast<double>(*bytes) * static_cast<double>(gap) /
             static_cast<double>(shorter);
  return 2 * max_bytes;
}

}  // namespace

result<std::uint64_t> stable_decrement(std::uint64_t cells, std::uint32_t hashes,
                                       unsigned max, double fpr) noexcept {
  const double steps = steps_for(static_cast<double>(cells), hashes, max, fpr);
  const double most = static_cast<double>(cells);
  if (!(steps >= 0) || !(steps <= most) || !(steps < 0x1p32))
    return error{errc::unattainable, "an insert would decrease more cells than there are",
                 0, fpr};
  const double scaled = std::nearbyint(steps * 0x1p32);
  return static_cast<std::uint64_t>(std::min(scaled, 0x1p64 - 0x1p11));
}

result<stable_shape> size_stable_by_memory(std::uint64_t gap, double fpr,
                                           std::uint64_t bytes,
                                           unsigned cell_bits) noexcept {
  if (!is_width(cell_bits)) return no_width(cell_bits);
  if (gap == 0)
    return error{errc::invalid_argument, "a gap is at least one insert", 0, 0, 1};
  if (!is_share(fpr)) return no_rate(fpr);
  if (bytes == 0)
    return error{errc::invalid_argument, "a filter needs at least one byte", 0, 0, 1};
  if (static_cast<double>(bytes) > max_bytes)
    return error{errc::too_large, "more cells than a filter can have", 0,
                 static_cast<double>(bytes), max_bytes};
  const auto best = best_within(static_cast<double>(gap), fpr, bytes, cell_bits);
  if (!best) return no_such_rate(fpr);
  return best->shape;
}

result<stable_shape> size_stable_by_rate(std::uint64_t gap, double fpr, double forgotten,
                                         unsigned cell_bits) noexcept {
  if (!is_width(cell_bits)) return no_width(cell_bits);
  if (gap == 0)
    return error{errc::invalid_argument, "a gap is at least one insert", 0, 0, 1};
  if (!is_share(fpr) || !is_share(forgotten)) return no_rate(fpr);
  if (const auto bytes = bytes_for(gap, fpr, forgotten, cell_bits))
    return size_stable_by_memory(gap, fpr, *bytes, cell_bits);
  return error{errc::too_large, "more cells than a filter can have", 0,
               need_beyond(gap, fpr, forgotten, cell_bits), max_bytes};
}

result<void> check_stable_shape(const stable_shape& s) noexcept {
  if (s.cells > stable_shape::max_cells)
    return error{errc::too_large, "more cells than a filter can have", 0,
                 static_cast<double>(s.cells),
                 static_cast<double>(stable_shape::max_cells)};
  if (!s.has_cells())
    return error{errc::invalid_argument, "a filter needs at least one cell", 0, 0, 1};
  if (!s.has_width()) return no_width(s.cell_bits);
  if (!s.has_max())
    return error{errc::invalid_argument, "the maximum does not fit the cells", 0,
                 static_cast<double>(s.max), 1};
  if (!s.has_hashes())
    return error{errc::invalid_argument, "a key has 1 to 64 cells", 0,
                 static_cast<double>(s.hashes), 4};
  if (!s.has_decrement())
    return error{errc::invalid_argument,
                 "an insert would decrease more cells than there are", 0, s.steps(),
                 static_cast<double>(s.cells)};
  return {};
}

}  // namespace bloomery::inline v1
