// SipHash-1-3 of several texts side by side, one in each 64-bit lane of a vector: a round
// depends on the one before it, so one text alone leaves most of a CPU idle.
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include "hash/siphash.hpp"

namespace bloomery::hash {
namespace {

// GCC 12 drops the attribute where the size depends on a template parameter.
template <std::size_t lanes>
struct words_of;
template <>
struct words_of<2> {
  using vector [[gnu::vector_size(16)]] = std::uint64_t;
};
template <>
struct words_of<4> {
  using vector [[gnu::vector_size(32)]] = std::uint64_t;
};
template <>
struct words_of<8> {
  using vector [[gnu::vector_size(64)]] = std::uint64_t;
};

template <std::size_t lanes>
class siphash_lanes {
  using vector = typename words_of<lanes>::vector;

 public:
  // REQUIRES: `lanes` texts
  static void hash(const std::string_view* texts, std::uint64_t k0, std::uint64_t k1,
                   key* out) noexcept {
    std::size_t shortest = texts[0].size(), longest = shortest;
    for (std::size_t l = 1; l < lanes; ++l) {
      shortest = std::min(shortest, texts[l].size());
      longest = std::max(longest, texts[l].size());
    }
    // Lanes of other lengths would wait for each other.
    if (longest / 8 != shortest / 8) {
      for (std::size_t l = 0; l < lanes; ++l)
        out[l] = key::from_bits(siphash13(texts[l], k0, k1));
      return;
    }
    siphash_lanes s(k0, k1);
    vector word{};
    for (std::size_t w = 0; w < shortest / 8; ++w) {
      for (std::size_t l = 0; l < lanes; ++l) word[l] = word_of(texts[l].data() + 8 * w);
      s.absorb(word);
    }
    for (std::size_t l = 0; l < lanes; ++l) word[l] = last_word_of(texts[l]);
    s.absorb(word);
    s.v2_ ^= every(0xff);
    for (int i = 0; i < 3; ++i) s.round();
    const vector h = s.v0_ ^ s.v1_ ^ s.v2_ ^ s.v3_;
    for (std::size_t l = 0; l < lanes; ++l) out[l] = key::from_bits(h[l]);
  }

 private:
  BLOOMERY_INLINE siphash_lanes(std::uint64_t k0, std::uint64_t k1) noexcept
      : v0_(every(k0 ^ 0x736f6d6570736575)),
        v1_(every(k1 ^ 0x646f72616e646f6d)),
        v2_(every(k0 ^ 0x6c7967656e657261)),
        v3_(every(k1 ^ 0x7465646279746573)) {}

  BLOOMERY_INLINE static vector every(std::uint64_t x) noexcept { return vector{} + x; }
  template <int n>
  BLOOMERY_INLINE static vector rotl(vector x) noexcept {
    return x << n | x >> (64 - n);
  }

  BLOOMERY_INLINE void round() noexcept {
    v0_ += v1_;
    v1_ = rotl<13>(v1_) ^ v0_;
    v0_ = rotl<32>(v0_);
    v2_ += v3_;
    v3_ = rotl<16>(v3_) ^ v2_;
    v0_ += v3_;
    v3_ = rotl<21>(v3_) ^ v0_;
    v2_ += v1_;
    v1_ = rotl<17>(v1_) ^ v2_;
    v2_ = rotl<32>(v2_);
  }
  BLOOMERY_INLINE void absorb(vector word) noexcept {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }

  BLOOMERY_INLINE static std::uint64_t word_of(const char* p) noexcept {
    std::uint64_t v;
    std::memcpy(&v, p, sizeof v);
    return words::as_little_endian(v);
  }
  // What is left of the text, below its length.  The last 8 bytes are read at once where
  // the text has as many.
  BLOOMERY_INLINE static std::uint64_t last_word_of(std::string_view text) noexcept {
    const std::size_t rest = text.size() % 8;
    std::uint64_t tail = 0;
    if (rest != 0 && text.size() >= 8)
      tail = word_of(text.data() + text.size() - 8) >> (64 - 8 * rest);
    else
      for (std::size_t i = 0; i < rest; ++i)
        tail |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    return std::uint64_t{text.size()} << 56 | tail;
  }

  vector v0_, v1_, v2_, v3_;
};

// Groups of `lanes`, then the rest one by one.
template <std::size_t lanes>
void siphash_each(const std::string_view* texts, std::size_t n, std::uint64_t k0,
                  std::uint64_t k1, key* out) noexcept {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    siphash_lanes<lanes>::hash(texts + i, k0, k1, out + i);
  for (; i < n; ++i) out[i] = key::from_bits(siphash13(texts[i], k0, k1));
}

}  // namespace
}  // namespace bloomery::hash
