// The definition: plain C++, column after column.
#include <bit>

#include "kind/ribbon/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct portable_ribbon : any_ribbon {
  BLOOMERY_INLINE static std::uint64_t word(const std::byte* p, std::size_t i) noexcept {
    return words::as_little_endian(words::load_anywhere<std::uint64_t>(p + 8 * i));
  }
  template <bool, unsigned width>
  static bool match(const ribbon_window<width>& w) noexcept {
    constexpr std::size_t words = width / 64;
    for (std::uint32_t j = 0; j < w.columns; ++j) {
      std::uint64_t x = 0;
      for (std::size_t i = 0; i < words; ++i) {
        x ^= word(w.first, j * words + i) & static_cast<std::uint64_t>(w.low >> (64 * i));
        x ^= word(w.second, j * words + i) &
             static_cast<std::uint64_t>(w.high >> (64 * i));
      }
      if ((static_cast<unsigned>(__builtin_parityll(x)) ^ w.fingerprint >> j) & 1)
        return false;
    }
    return true;
  }
};

}  // namespace

constinit const ribbon_kernel ribbon_portable =
    ribbon_loops_of<portable_ribbon>::table("portable");

bool solve_last_layer(const ribbon_layout& all, std::span<const key> ks, std::byte* rows,
                      std::byte* data) noexcept {
  const auto slots = static_cast<std::size_t>(all.last_slots);
  std::memset(rows, 0, 12 * slots);
  const ribbon_rows<std::uint64_t> r{reinterpret_cast<std::uint64_t*>(rows),
                                     reinterpret_cast<std::uint32_t*>(rows + 8 * slots)};
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << all.columns) - 1);
  for (const key k : ks) {
    const ribbon_last_window w = last_window(all, k.bits());
    ribbon_walk<std::uint64_t> walk{w.start, w.c, w.fingerprint & mask};
    auto outcome = walk.step(r);
    while (outcome == row_outcome::further) outcome = walk.step(r);
    if (outcome == row_outcome::contradicts) return false;
  }
  data += all.last_at;
  for (std::uint32_t j = 0; j < all.columns; ++j) {
    std::uint64_t state = 0;
    const std::uint64_t end = j + 1 == all.columns ? all.last_narrow : 0;
    for (std::uint64_t slot = slots; slot-- > end;) {
      state <<= 1;
      state |= (static_cast<unsigned>(std::popcount(state & r.c[slot])) ^
                r.fingerprint[slot] >> j) &
               1;
      const std::uint64_t bit = last_bit(all, slot, j);
      data[bit / 8] |= static_cast<std::byte>((state & 1) << (bit % 8));
    }
  }
  return true;
}

}  // namespace bloomery::kernel
