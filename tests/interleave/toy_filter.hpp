// A Bloom filter of a few words, its inserts as the library's: what takes one instruction
// there takes one step here.
//
// The library reads a key's words by one vector load, which is as many relaxed loads.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "machine.hpp"

namespace interleave {

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;

inline constexpr std::size_t toy_words = 2;

// The bits a key means, word by word; `hash` chooses its stripe.
struct toy_key {
  std::array<std::uint64_t, toy_words> bits;
  std::uint64_t hash = 0;
};

struct toy_filter {
  std::array<atomic<std::uint64_t>, toy_words> words;

  // Which words lack bits of the key, by relaxed loads of those it has bits in.
  std::array<bool, toy_words> missing(const toy_key& k) const {
    std::array<bool, toy_words> lacks{};
    for (std::size_t i = 0; i < toy_words; ++i)
      if (k.bits[i] != 0) lacks[i] = (~words[i].load(relaxed) & k.bits[i]) != 0;
    return lacks;
  }

  // Wait-free: a test, then an OR of the words that lack bits.
  void insert(const toy_key& k) {
    const auto lacks = missing(k);
    for (std::size_t i = 0; i < toy_words; ++i)
      if (lacks[i]) words[i].fetch_or(k.bits[i], relaxed);
  }

  // Stops at the first word that lacks a bit, as a lookup may.
  bool may_contain(const toy_key& k) const {
    for (std::size_t i = 0; i < toy_words; ++i)
      if ((~words[i].load(relaxed) & k.bits[i]) != 0) return false;
    return true;
  }
};

// "I am done", from one thread to another: what makes an insert happen before a lookup.
class signal {
 public:
  void send(unsigned v = 1) { flag_.store(v, release); }
  unsigned received() const { return flag_.load(acquire); }

 private:
  atomic<unsigned> flag_{0, "signal"};
};

}  // namespace interleave
