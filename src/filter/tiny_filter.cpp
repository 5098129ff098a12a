// Ribbon filters (Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom
// and Xor", 2021) of width 64 whose windows begin at whole bytes, so that a lookup loads
// one word per column.  Up to 64 slots the window is the whole filter and the equations
// are dense: then hardly any slot is wasted.
#include <bloomery/tiny_filter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <bloomery/detail/hash/mix.hpp>

namespace bloomery::inline v1 {
namespace {

constexpr unsigned seeds = 8;
constexpr unsigned first_mark = 32;  // 0 to 30 are LevelDB's numbers of hashes
constexpr std::size_t window_bytes = 8;

// The equation of one key: the parity of these slots, from byte `start` of each column, is
// bit c of `answer` in column c.
struct equation {
  std::uint64_t row;
  std::size_t start;
  std::uint32_t answer;
};

struct geometry {
  std::size_t column_bytes;
  std::size_t window;
  std::uint64_t starts;
  std::uint64_t mask;

  explicit geometry(std::size_t bytes) noexcept
      : column_bytes(bytes),
        window(std::min(bytes, window_bytes)),
        starts(bytes - window + 1),
        mask(~std::uint64_t{0} >> (64 - 8 * window)) {}
};

equation equation_of(key k, unsigned seed, const geometry& g) noexcept {
  const std::uint64_t x = hash::fmix64(k.bits() + seed * 0x9e3779b97f4a7c15);
  const std::uint64_t y = x * 0xbf58476d1ce4e5b9;
  return {(y ^ y >> 32) & g.mask, static_cast<std::size_t>((x >> 32) * g.starts >> 32),
          static_cast<std::uint32_t>(x * 0x94d049bb133111eb >> 37)};
}

// Little-endian, whatever the CPU.
std::uint64_t load(const std::byte* p, std::size_t bytes) noexcept {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    if (bytes == window_bytes) [[likely]] {
      std::memcpy(&word, p, window_bytes);
      return word;
    }
  }
  for (std::size_t i = 0; i < bytes; ++i)
    word |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return word;
}

std::uint32_t parity(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(__builtin_parityll(word));
}

// --- building ---

// Slots that `keys` equations need: more as the windows become a smaller part of them.
std::size_t first_column_bytes(std::size_t keys) noexcept {
  const auto log = static_cast<std::size_t>(std::bit_width(keys)) - 1;
  const std::size_t slots = keys + (log > 6 ? keys * (log - 6) / 160 : 0);
  return (slots + 7) / 8;
}

// Rows in echelon form: row i is 0, or begins at slot i.
struct system {
  std::span<std::uint64_t> rows;
  std::span<std::uint32_t> answers;
};

// Whether no key contradicts those before it.
bool eliminate(std::span<const key> keys, unsigned seed, const geometry& g,
               const system& s) noexcept {
  std::ranges::fill(s.rows, 0);
  for (const key k : keys) {
    auto [row, start, answer] = equation_of(k, seed, g);
    std::size_t slot = 8 * start;
    for (;;) {
      if (row == 0) {
        if (answer != 0) return false;
        break;
      }
      const int zeros = std::countr_zero(row);
      slot += static_cast<std::size_t>(zeros);
      row >>= zeros;
      if (s.rows[slot] == 0) {
        s.rows[slot] = row;
        s.answers[slot] = answer;
        break;
      }
      row ^= s.rows[slot];
      answer ^= s.answers[slot];
    }
  }
  return true;
}

// From the last slot to the first; slots that no row begins at are 0.
void substitute(const system& s, unsigned columns, std::size_t column_bytes,
                std::byte* out) noexcept {
  for (unsigned c = 0; c < columns; ++c, out += column_bytes) {
    std::uint64_t behind = 0;  // the slots from this one on
    for (std::size_t i = s.rows.size(); i-- > 0;) {
      behind <<= 1;
      if (s.rows[i] != 0) behind |= parity(behind & s.rows[i]) ^ (s.answers[i] >> c & 1);
      if (i % 8 == 0) out[i / 8] = static_cast<std::byte>(behind);
    }
  }
}

// Memory of the equations: on the stack for the sets that engines have.
class scratch {
 public:
  static constexpr std::size_t small = 1024;

  result<system> of(std::size_t slots) noexcept {
    if (slots <= small)
      return system{std::span(rows_).first(slots), std::span(answers_).first(slots)};
    const std::size_t words = slots * sizeof(std::uint64_t);
    const std::size_t wanted = words + slots * sizeof(std::uint32_t);
    if (more_.size() < wanted) {
      auto memory = pages::make(wanted + wanted / 8);
      if (!memory) return memory.error();
      more_ = *std::move(memory);
    }
    return system{{reinterpret_cast<std::uint64_t*>(more_.data()), slots},
                  {reinterpret_cast<std::uint32_t*>(more_.data() + words), slots}};
  }

 private:
  std::uint64_t rows_[small];
  std::uint32_t answers_[small];
  pages more_;
};

std::size_t without_repeats(std::span<const key> keys) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) n += i == 0 || keys[i] != keys[i - 1];
  return n;
}

}  // namespace

result<pages> tiny_filter::build(std::span<const key> keys, unsigned columns) noexcept {
  if (keys.empty())
    return error{errc::invalid_argument, "a tiny filter has at least one key", 0, 0, 1};
  if (columns == 0 || columns > max_columns)
    return error{errc::invalid_argument, "a tiny filter has 1 to 27 columns", 0,
                 static_cast<double>(columns), max_columns};
  if (keys.size() > max_keys)
    return error{errc::too_large, "more keys than a tiny filter takes", 0,
                 static_cast<double>(keys.size()), static_cast<double>(max_keys)};
  scratch memory;
  const std::size_t first = first_column_bytes(without_repeats(keys));
  for (std::size_t bytes = first; bytes <= 2 * first + 16;
       bytes += std::max<std::size_t>(1, bytes / 64)) {
    const auto room = memory.of(8 * bytes);
    if (!room) return room.error();
    for (unsigned seed = 0; seed < seeds; ++seed) {
      if (!eliminate(keys, seed, geometry(bytes), *room)) continue;
      auto filter = pages::make(columns * bytes + 1);
      if (!filter) return filter;
      substitute(*room, columns, bytes, filter->data());
      filter->data()[columns * bytes] =
          static_cast<std::byte>(first_mark + seeds * (columns - 1) + seed);
      return filter;
    }
  }
  return error{errc::unattainable, "the keys were chosen to contradict each other"};
}

// --- asking ---

tiny_filter::shape tiny_filter::shape_of(std::span<const std::byte> filter) noexcept {
  if (filter.size() < 2) return {};
  const auto mark = static_cast<unsigned>(filter.back());
  if (mark < first_mark || mark >= first_mark + seeds * max_columns) return {};
  const unsigned columns = (mark - first_mark) / seeds + 1;
  const std::size_t cells = filter.size() - 1;
  if (cells % columns != 0) return {};
  return {columns, (mark - first_mark) % seeds, 8 * (cells / columns)};
}

bool tiny_filter::may_contain(std::span<const std::byte> filter, key k) noexcept {
  const shape s = shape_of(filter);
  if (s.columns == 0) return true;
  const geometry g(s.slots / 8);
  const equation e = equation_of(k, s.seed, g);
  const std::byte* p = filter.data() + e.start;
  // Four columns at a time: an absent key passes the first four once in 16 times.
  std::uint32_t answer = e.answer;
  for (unsigned c = 0; c < s.columns;) {
    std::uint32_t differ = 0;
    for (const unsigned end = std::min(c + 4, s.columns); c < end;
         ++c, p += g.column_bytes, answer >>= 1)
      differ |= parity(load(p, g.window) & e.row) ^ (answer & 1);
    if (differ != 0) return false;
  }
  return true;
}

double tiny_filter::fpr(std::span<const std::byte> filter) noexcept {
  return std::ldexp(1.0, -static_cast<int>(shape_of(filter).columns));
}

}  // namespace bloomery::inline v1
