#include "hash/murmur.hpp"

#include <algorithm>
#include <bit>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

constexpr std::uint64_t c1 = 0x87c37b91114253d5;
constexpr std::uint64_t c2 = 0x4cf5ad432745937f;

std::uint64_t mix_first(std::uint64_t k) noexcept { return std::rotl(k * c1, 31) * c2; }
std::uint64_t mix_second(std::uint64_t k) noexcept { return std::rotl(k * c2, 33) * c1; }

std::uint64_t load_signed(std::string_view s, std::size_t at,
                          std::size_t count) noexcept {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < count; ++i)
    v ^= static_cast<std::uint64_t>(std::int64_t{static_cast<signed char>(s[at + i])})
         << (8 * i);
  return v;
}

std::uint64_t load_plain(std::string_view s, std::size_t at, std::size_t count) noexcept {
  return load_le(s, at, count);
}

// The state after the whole blocks of `bytes`.
u64_pair mix_blocks(std::string_view bytes, u64_pair state) noexcept {
  auto [h1, h2] = state;
  for (std::size_t at = 0; at + 16 <= bytes.size(); at += 16) {
    h1 ^= mix_first(load_le(bytes, at));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= mix_second(load_le(bytes, at + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  return {h1, h2};
}

// tail: the bytes after the last whole block; load_tail: those of half a block.
template <class LoadTail>
u64_pair finish(u64_pair state, std::string_view tail, std::size_t size,
                LoadTail load_tail) noexcept {
  auto [h1, h2] = state;
  if (tail.size() > 8) h2 ^= mix_second(load_tail(tail, 8, tail.size() - 8));
  if (!tail.empty())
    h1 ^= mix_first(load_tail(tail, 0, std::min<std::size_t>(tail.size(), 8)));
  h1 ^= size;
  h2 ^= size;
  h1 += h2;
  h2 += h1;
  h1 = fmix64(h1);
  h2 = fmix64(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

std::string_view tail_of(std::string_view bytes) noexcept {
  return bytes.substr(bytes.size() / 16 * 16);
}

}  // namespace

u64_pair murmur3_x64_128(std::string_view bytes, std::uint32_t seed) noexcept {
  return finish(mix_blocks(bytes, {seed, seed}), tail_of(bytes), bytes.size(),
                load_plain);
}

u64_pair murmur3_x64_128_signed_tail(std::string_view bytes,
                                     std::uint32_t seed) noexcept {
  return finish(mix_blocks(bytes, {seed, seed}), tail_of(bytes), bytes.size(),
                load_signed);
}

std::array<u64_pair, 2> murmur3_x64_128_with_suffix(std::string_view bytes, char next,
                                                    std::uint32_t seed) noexcept {
  const u64_pair state = mix_blocks(bytes, {seed, seed});
  const std::string_view tail = tail_of(bytes);
  const std::size_t rest = bytes.size() % 16;
  char copy[16];
  tail.copy(copy, rest);
  copy[rest] = next;
  const std::string_view longer(copy, rest + 1);
  return {
      finish(state, tail, bytes.size(), load_plain),
      finish(mix_blocks(longer, state), tail_of(longer), bytes.size() + 1, load_plain)};
}

std::uint64_t murmur64a(std::string_view bytes, std::uint64_t seed) noexcept {
  constexpr std::uint64_t m = 0xc6a4a7935bd1e995;
  std::uint64_t h = seed ^ (bytes.size() * m);
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t k = load_le(bytes, at) * m;
    k = (k ^ (k >> 47)) * m;
    h = (h ^ k) * m;
  }
  if (at < bytes.size()) h = (h ^ load_le(bytes, at, bytes.size() - at)) * m;
  h = (h ^ (h >> 47)) * m;
  return h ^ (h >> 47);
}

}  // namespace bloomery::hash
