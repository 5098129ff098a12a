// Whether bytes are those of a quotient filter: one pass (spec/filters.md, 15.6).
#include <bloomery/quotient.hpp>

#include <algorithm>
#include <bit>

#include <bloomery/detail/kind/quotient/runs.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

namespace bloomery::inline v1 {
namespace {

using runs = quotient_runs<plain_words<const std::byte>, broadword_select>;

// Slots first .. end - 1 hold nothing.
bool are_empty(const runs& f, std::uint64_t first, std::uint64_t end) noexcept {
  for (; first < end; first = (first / 64 + 1) * 64) {
    const std::uint64_t b = first / 64, last = std::min(end - 1, 64 * b + 63);
    const std::uint64_t here =
        ~std::uint64_t{0} >> (63 - last % 64) & ~std::uint64_t{0} << (first % 64);
    if (((~f.equal(b, 0) | f.runends(b)) & here) != 0) return false;
  }
  return true;
}

// The digits of the group, which ends at g.end, are those of its count.
bool has_digits(const runs& f, const quotient_group& g, std::uint64_t first) noexcept {
  if (g.count < 3 || g.end < first + 4) return g.end == first + g.count;
  const unsigned digit_bits = f.layout().remainder_bits - 1;
  const std::uint64_t low = (std::uint64_t{1} << digit_bits) - 1;
  std::uint64_t more = g.count - 3;
  for (std::uint64_t i = first + 3; i < g.end; ++i, more >>= digit_bits) {
    const bool is_last = more >> digit_bits == 0;
    if (f.value(i) != ((more & low) | (is_last ? 0 : low + 1))) return false;
    if (is_last) return i + 1 == g.end;
  }
  return false;
}

bool are_groups(const runs& f, std::uint64_t first, std::uint64_t last) noexcept {
  std::uint64_t next = 0;  // the least remainder that may come
  for (std::uint64_t i = first; i <= last;) {
    const quotient_group g = f.group_at(i, last);
    if (g.remainder < next || !has_digits(f, g, i)) return false;
    next = g.remainder + 1;
    i = g.end;
  }
  return true;
}

}  // namespace

bool quotient::is_well_formed() const noexcept {
  if (!damage_.empty()) return true;
  const runs f(layout_, {store_.data()});
  std::uint64_t free = 0;
  for (std::uint64_t b = 0; b < layout_.blocks; ++b) {
    if (f.offset(b) != std::min<std::uint64_t>(runs::saturated, free - 64 * b))
      return false;
    for (std::uint64_t left = f.occupieds(b); left != 0; left &= left - 1) {
      const std::uint64_t q = 64 * b + static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t first = std::max(free, q);
      std::uint64_t last;
      if (q >= layout_.quotients || !are_empty(f, free, first) ||
          !f.nth_end(first, 1, last) || !are_groups(f, first, last))
        return false;
      free = last + 1;
    }
    if (free < 64 * (b + 1)) {
      if (!are_empty(f, free, 64 * (b + 1))) return false;
      free = 64 * (b + 1);
    }
  }
  return std::ranges::all_of(bytes().subspan(static_cast<std::size_t>(
                                 8 * layout_.offsets_at() + layout_.blocks)),
                             [](std::byte x) { return x == std::byte{0}; });
}

}  // namespace bloomery::inline v1
