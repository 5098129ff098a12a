// A small fuse or xor filter: its equations, solved by elimination.
//
// Each key is an equation over four slots.  With 1.04 slots per key they have a solution
// with good probability (the threshold of such systems is 0.9768 keys per slot: M.
// Dietzfelbinger et al., "Tight Thresholds for Cuckoo Hashing via XORSAT", 2010), far
// beyond what peeling can solve.
//
// Cost: n^3 / 256 operations on words; 1 ms for 1000 keys.  Memory: n^2 / 8 bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class slot_solver {
 public:
  // Errors: out_of_memory.
  static result<slot_solver> make(const slot_shape& shape) noexcept {
    const auto slots = static_cast<std::size_t>(shape.shard_slots);
    const std::size_t words = (slots + 63) / 64;
    auto memory = pages::make(slots * (8 * words + 8));
    if (!memory) return memory.error();
    return slot_solver(shape, words, *std::move(memory));
  }

  void start(std::uint64_t round) noexcept {
    round_ = round;
    std::memset(memory_.data(), 0, memory_.size());
  }
  // False if the equation contradicts those before it, and is left out.
  // REQUIRES: words() <= max_words
  bool add(key k) noexcept {
    const slot_hash h = slot_hash::of(k, round_);
    std::uint64_t line[max_words] = {};
    for (const std::uint64_t s : slots_of_(h.x))
      line[s / 64] ^= std::uint64_t{1} << s % 64;
    std::uint64_t value = h.fingerprint(width_);
    for (std::size_t w = 0; w < words_; ++w)
      while (line[w] != 0) {
        const std::size_t s =
            64 * w + static_cast<std::size_t>(std::countr_zero(line[w]));
        std::uint64_t* const pivot = line_of(s);
        if ((pivot[w] >> s % 64 & 1) == 0) {
          std::memcpy(pivot, line, 8 * words_);
          values()[s] = value;
          return true;
        }
        for (std::size_t i = w; i < words_; ++i) line[i] ^= pivot[i];
        value ^= values()[s];
      }
    return value == 0;
  }
  // The values of all slots; those that are free are 0.
  void solve(std::uint32_t* out) noexcept {
    for (std::size_t s = slots_; s-- > 0;) {
      const std::uint64_t* const line = line_of(s);
      auto value = static_cast<std::uint32_t>(values()[s]);
      for (std::size_t w = s / 64; w < words_; ++w)
        for (std::uint64_t rest = line[w]; rest != 0; rest &= rest - 1) {
          const std::size_t other =
              64 * w + static_cast<std::size_t>(std::countr_zero(rest));
          if (other != s) value ^= out[other];
        }
      out[s] = value;
    }
  }

  static constexpr std::size_t max_words =
      (slot_shape::max_small_keys * 25 / 24 + 3 + 63) / 64;

 private:
  slot_solver(const slot_shape& s, std::size_t words, pages memory) noexcept
      : slots_of_(s),
        width_(s.width),
        slots_(static_cast<std::size_t>(s.shard_slots)),
        words_(words),
        memory_(std::move(memory)) {}

  // The line of slot s: zero, or an equation whose first slot is s.
  std::uint64_t* line_of(std::size_t s) noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data()) + s * words_;
  }
  std::uint64_t* values() noexcept { return line_of(slots_); }

  dense_slots slots_of_;
  unsigned width_;
  std::size_t slots_, words_;
  std::uint64_t round_ = 0;
  pages memory_;
};

}  // namespace bloomery::inline v1
