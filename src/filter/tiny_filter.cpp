// Ribbon filters (Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom
// and Xor", 2021) of width 56, so that a lookup loads one word per column, wherever in a
// byte the window begins.  Up to 56 slots the window is the whole filter and the
// equations are dense: then as many slots as keys are enough for two sets of seven, by
// one seed.
#include <bloomery/tiny_filter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <bloomery/detail/hash/mix.hpp>

#include "hash/xxh.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr unsigned seeds = 8;
// LevelDB's numbers of hashes are 0 to 30: three bits of every mark differ from them.
constexpr unsigned mark_of_none = 224;
constexpr std::uint64_t widest = 56;
constexpr std::size_t tail = tiny_filter::tail_bytes;

// What must hold for a key: the parity of these slots, from slot `start` of each column
// on, is bit c of `answer` in column c.
struct equation {
  std::uint64_t row;
  std::uint64_t start;
  std::uint32_t answer;
};

struct geometry {
  std::uint64_t starts;
  std::uint64_t mask;

  explicit geometry(std::uint64_t slots) noexcept
      : starts(slots < widest ? 1 : slots - widest + 1),
        mask(~std::uint64_t{0} >> (64 - std::min(slots, widest))) {}
};

equation equation_of(key k, unsigned seed, const geometry& g) noexcept {
  const std::uint64_t x = hash::fmix64(k.bits() + seed * 0x9e3779b97f4a7c15);
  const std::uint64_t y = x * 0xbf58476d1ce4e5b9;
  return {(y ^ y >> 32) & g.mask, (x >> 32) * g.starts >> 32,
          static_cast<std::uint32_t>(x * 0x94d049bb133111eb >> 37)};
}

// Little-endian, whatever the CPU.
std::uint64_t load(const std::byte* p, std::size_t bytes) noexcept {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    if (bytes == 8) [[likely]] {
      std::memcpy(&word, p, 8);
      return word;
    }
  }
  for (std::size_t i = 0; i < bytes; ++i)
    word |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return word;
}

// The four bytes behind the columns: the seed in the lowest three bits, a checksum above.
std::uint32_t check_of(std::span<const std::byte> cells, unsigned columns,
                       unsigned seed) noexcept {
  const std::string_view bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
  const std::uint32_t sum = static_cast<std::uint32_t>(hash::xxh3(bytes, 0)) +
                            0x9e3779b1u * (seeds * columns + seed);
  return (sum & ~(seeds - 1)) | seed;
}

std::uint32_t parity(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(__builtin_parityll(word));
}

// --- building ---

// Slots that `keys` equations need: more as the windows become a smaller part of them.
std::size_t slots_for(std::size_t keys) noexcept {
  const auto log = static_cast<std::size_t>(std::bit_width(keys)) - 1;
  return keys + (keys > widest ? (keys - 40) * (log + 4) / 400 : 0);
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
    std::size_t slot = start;
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
void substitute(const system& s, unsigned columns, std::byte* out) noexcept {
  const std::size_t slots = s.rows.size();
  for (unsigned c = 0; c < columns; ++c) {
    std::uint64_t behind = 0;  // the slots from this one on
    for (std::size_t i = slots; i-- > 0;) {
      behind <<= 1;
      if (s.rows[i] != 0) behind |= parity(behind & s.rows[i]) ^ (s.answers[i] >> c & 1);
      const std::size_t bit = c * slots + i;
      out[bit / 8] |= static_cast<std::byte>((behind & 1) << bit % 8);
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

bool is_right(std::span<const std::byte> filter, const tiny_filter::shape& s) noexcept {
  const std::size_t cells = filter.size() - tail;
  return check_of(filter.first(cells), s.columns, s.seed) == load(&filter[cells], 4);
}

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
  const std::size_t first = slots_for(without_repeats(keys));
  for (std::size_t wanted = first, slots; wanted <= 2 * first + 128;
       wanted = slots + std::max<std::size_t>(1, slots / 64)) {
    const std::size_t cells = (columns * wanted + 7) / 8;
    slots = 8 * cells / columns;
    const auto room = memory.of(slots);
    if (!room) return room.error();
    for (unsigned seed = 0; seed < seeds; ++seed) {
      if (!eliminate(keys, seed, geometry(slots), *room)) continue;
      auto filter = pages::make(cells + tail);
      if (!filter) return filter;
      substitute(*room, columns, filter->data());
      const std::uint32_t check = check_of(filter->bytes().first(cells), columns, seed);
      for (std::size_t i = 0; i < 4; ++i)
        filter->data()[cells + i] = static_cast<std::byte>(check >> (8 * i));
      filter->data()[cells + 4] = static_cast<std::byte>(mark_of_none + columns);
      return filter;
    }
  }
  return error{errc::unattainable, "the keys were chosen to contradict each other"};
}

unsigned tiny_filter::columns_within(std::size_t keys, std::size_t bytes) noexcept {
  if (keys == 0 || keys > max_keys || bytes <= tail) return 0;
  const std::size_t columns = 8 * (bytes - tail) / slots_for(keys);
  return static_cast<unsigned>(std::min<std::size_t>(columns, max_columns));
}

// --- asking ---

tiny_filter::shape tiny_filter::shape_of(std::span<const std::byte> filter) noexcept {
  if (filter.size() <= tail) return {};
  const auto mark = static_cast<unsigned>(filter.back());
  if (mark <= mark_of_none || mark > mark_of_none + max_columns) return {};
  const unsigned columns = mark - mark_of_none;
  const std::size_t cells = filter.size() - tail;
  if (8 * cells < columns) return {};
  return {columns, static_cast<unsigned>(filter[cells]) % seeds, 8 * cells / columns};
}

bool tiny_filter::is_intact(std::span<const std::byte> filter) noexcept {
  const shape s = shape_of(filter);
  return s.columns != 0 && is_right(filter, s);
}

bool tiny_filter::may_contain(std::span<const std::byte> filter, key k) noexcept {
  const shape s = shape_of(filter);
  if (s.columns == 0) return true;
  const equation e = equation_of(k, s.seed, geometry(s.slots));
  // The tail makes room for eight bytes behind each window of 24 slots or more.
  const auto word = [&](std::uint64_t bit) noexcept {
    const std::byte* const p = &filter[bit / 8];
    const std::size_t bytes =
        s.slots >= 24 ? 8 : std::min<std::size_t>(8, filter.size() - bit / 8);
    return load(p, bytes) >> bit % 8;
  };
  // Four columns at a time: an absent key passes the first four once in 16 times.
  std::uint64_t bit = e.start;
  std::uint32_t answer = e.answer;
  for (unsigned c = 0; c < s.columns;) {
    std::uint32_t differ = 0;
    for (const unsigned end = std::min(c + 4, s.columns); c < end;
         ++c, bit += s.slots, answer >>= 1)
      differ |= parity(word(bit) & e.row) ^ (answer & 1);
    // "Definitely not" needs bytes that are as they were written.
    if (differ != 0) return !is_right(filter, s);
  }
  return true;
}

double tiny_filter::fpr(std::span<const std::byte> filter) noexcept {
  return is_intact(filter) ? std::ldexp(1.0, -static_cast<int>(shape_of(filter).columns))
                           : 1;
}

}  // namespace bloomery::inline v1
