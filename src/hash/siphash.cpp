#include "hash/siphash.hpp"

#include <bit>

#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

struct state {
  std::uint64_t v0, v1, v2, v3;

  void round() noexcept {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  void absorb(std::uint64_t word) noexcept {  // one round a word: the "1" of 1-3
    v3 ^= word;
    round();
    v0 ^= word;
  }
};

// The initial state spells "somepseudorandomlygeneratedbytes".
state keyed(std::uint64_t k0, std::uint64_t k1) noexcept {
  return {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
          k1 ^ 0x7465646279746573};
}

// The last word has the length, modulo 256, above what is left of the message.
std::uint64_t finish(state& s, std::uint64_t length, std::uint64_t tail) noexcept {
  s.absorb(length << 56 | tail);
  s.v2 ^= 0xff;
  for (int i = 0; i < 3; ++i) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

// Absorbs the whole words; returns where they end.
std::size_t absorb_words(state& s, std::string_view bytes) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) s.absorb(load_le(bytes, at));
  return at;
}

}  // namespace

std::uint64_t siphash13(std::string_view bytes, std::uint64_t k0,
                        std::uint64_t k1) noexcept {
  state s = keyed(k0, k1);
  const std::size_t at = absorb_words(s, bytes);
  return finish(s, bytes.size(), load_le(bytes, at, bytes.size() - at));
}

std::uint64_t siphash13_slice(std::string_view bytes, std::uint64_t k0,
                              std::uint64_t k1) noexcept {
  state s = keyed(k0, k1);
  s.absorb(bytes.size());
  const std::size_t at = absorb_words(s, bytes);
  return finish(s, bytes.size() + 8, load_le(bytes, at, bytes.size() - at));
}

std::uint64_t siphash13_str(std::string_view bytes, std::uint64_t k0,
                            std::uint64_t k1) noexcept {
  state s = keyed(k0, k1);
  const std::size_t at = absorb_words(s, bytes), rest = bytes.size() - at;
  std::uint64_t tail = load_le(bytes, at, rest) | std::uint64_t{0xff} << (8 * rest);
  if (rest == 7) {  // it completes a word
    s.absorb(tail);
    tail = 0;
  }
  return finish(s, bytes.size() + 1, tail);
}

}  // namespace bloomery::hash
