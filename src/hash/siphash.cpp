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

}  // namespace

std::uint64_t siphash13(std::string_view bytes, std::uint64_t k0,
                        std::uint64_t k1) noexcept {
  // The initial state spells "somepseudorandomlygeneratedbytes".
  state s{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
          k1 ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) s.absorb(load_le(bytes, at));
  const std::uint64_t length = static_cast<std::uint64_t>(bytes.size()) << 56;
  s.absorb(length | load_le(bytes, at, bytes.size() - at));
  s.v2 ^= 0xff;
  for (int i = 0; i < 3; ++i) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

}  // namespace bloomery::hash
