#include "murmur3.hpp"

#include <bit>

#include "invert.hpp"

namespace attack::murmur3 {
namespace {

constexpr std::uint64_t c1 = 0x87c37b91114253d5, c2 = 0x4cf5ad432745937f;
constexpr std::uint64_t c1_back = inverse(c1), c2_back = inverse(c2);
constexpr std::uint64_t fifth = inverse(5);

std::uint64_t mixed1(std::uint64_t k) { return std::rotl(k * c1, 31) * c2; }
std::uint64_t mixed2(std::uint64_t k) { return std::rotl(k * c2, 33) * c1; }
std::uint64_t unmixed1(std::uint64_t k) { return std::rotr(k * c2_back, 31) * c1_back; }
std::uint64_t unmixed2(std::uint64_t k) { return std::rotr(k * c1_back, 33) * c2_back; }

state finished(state s, std::uint64_t size) {
  s.h1 ^= size, s.h2 ^= size;
  s.h1 += s.h2, s.h2 += s.h1;
  s.h1 = fmix64(s.h1), s.h2 = fmix64(s.h2);
  s.h1 += s.h2, s.h2 += s.h1;
  return s;
}
state unfinished(state s, std::uint64_t size) {
  s.h2 -= s.h1, s.h1 -= s.h2;
  s.h1 = unfmix64(s.h1), s.h2 = unfmix64(s.h2);
  s.h2 -= s.h1, s.h1 -= s.h2;
  s.h1 ^= size, s.h2 ^= size;
  return s;
}

// Any 16 bytes, by number.
std::string block_of(std::uint64_t salt) {
  return bytes_of(splitmix64(salt)) + bytes_of(splitmix64(~salt));
}

}  // namespace

state after_blocks(std::string_view bytes) {
  state s{0, 0};
  for (; bytes.size() >= 16; bytes.remove_prefix(16)) {
    s.h1 ^= mixed1(load(bytes.substr(0, 8)));
    s.h1 = (std::rotl(s.h1, 27) + s.h2) * 5 + 0x52dce729;
    s.h2 ^= mixed2(load(bytes.substr(8, 8)));
    s.h2 = (std::rotl(s.h2, 31) + s.h1) * 5 + 0x38495ab5;
  }
  return s;
}

std::string block_between(state from, state to) {
  const std::uint64_t h1 = std::rotr((to.h1 - 0x52dce729) * fifth - from.h2, 27);
  const std::uint64_t h2 = std::rotr((to.h2 - 0x38495ab5) * fifth - to.h1, 31);
  return bytes_of(unmixed1(h1 ^ from.h1)) + bytes_of(unmixed2(h2 ^ from.h2));
}

state hash(std::string_view bytes) {
  state s = after_blocks(bytes);
  const std::string_view tail = bytes.substr(bytes.size() / 16 * 16);
  if (tail.size() > 8) s.h2 ^= mixed2(load(tail.substr(8)));
  s.h1 ^= mixed1(load(tail.substr(0, 8)));
  return finished(s, bytes.size());
}

std::string with_hash(state wanted) {
  return block_between({0, 0}, unfinished(wanted, 16));
}

std::string with_hash(state wanted, std::uint64_t salt) {
  const std::string first = block_of(salt);
  return first + block_between(after_blocks(first), unfinished(wanted, 32));
}

std::string same_state(std::string_view key, std::uint64_t salt) {
  const std::string first = block_of(salt);
  const std::string second =
      block_between(after_blocks(first), after_blocks(key.substr(0, 32)));
  return first + second + std::string(key.substr(32));
}

}  // namespace attack::murmur3
