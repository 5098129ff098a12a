#include "block_forger.hpp"

#include "invert.hpp"

namespace attack {

// The hashes of a block are a range of their upper 32 bits; its first and last are left
// out, as the next block may begin within.
std::string block_forger::key_in(std::uint64_t block, std::uint32_t low,
                                 std::uint64_t salt) const {
  const std::uint64_t from = (block << 32) / shape_.blocks + 1;
  const std::uint64_t to = ((block + 1) << 32) / shape_.blocks;
  return key_of_((from + salt % (to - from)) << 32 | low);
}

std::string block_forger::same_bits(std::string_view model, std::uint64_t salt) {
  const std::uint64_t h = hash_(model);
  const std::uint64_t block = ((h >> 32) * shape_.blocks) >> 32;
  std::string key = key_in(block, static_cast<std::uint32_t>(h), 2 * salt);
  return key != model ? key : key_in(block, static_cast<std::uint32_t>(h), 2 * salt + 1);
}

// Lane j's bit is the top of low * salt[j], and the salts are odd: low halves that differ
// in their top 6 bits alone (5, of lanes of 32 bits) differ in every lane, whatever the
// salt.  64 of them set all 512 bits of a block, and no search is needed to find them.
std::uint32_t block_forger::disjoint_low(std::uint64_t i) const {
  return static_cast<std::uint32_t>(i) << (shape_.lane_bits() == 64 ? 26 : 27);
}

std::vector<std::string> block_forger::pollution(std::size_t n) {
  std::vector<std::string> keys;
  keys.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    keys.push_back(key_in(i % shape_.blocks, disjoint_low(i / shape_.blocks), i));
  return keys;
}

std::vector<std::string> block_forger::one_block_full() {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < shape_.lane_bits(); ++i)
    keys.push_back(key_in(shape_.blocks / 2, disjoint_low(i), i));
  return keys;
}

std::vector<std::string> block_forger::keys_of_that_block(std::size_t n) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < n; ++i)
    keys.push_back(key_in(shape_.blocks / 2, static_cast<std::uint32_t>(splitmix64(i)),
                          splitmix64(~i)));
  return keys;
}

}  // namespace attack
