// Block filters: the block comes from the high bits of a hash, the bits in it from the
// low 32.  So hashes that differ only in between are the same to the filter, and an
// attacker who finds keys for hashes (xxh.hpp, invert.hpp) fills any block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/block_bloom.hpp>

#include "forger.hpp"

namespace attack {

class block_forger final : public forger {
 public:
  using forward = std::function<std::uint64_t(std::string_view)>;
  using backward = std::function<std::string(std::uint64_t)>;

  // REQUIRES: one block per key
  block_forger(bloomery::block_shape shape, forward hash, backward key_of)
      : shape_(shape), hash_(std::move(hash)), key_of_(std::move(key_of)) {}

  std::string same_bits(std::string_view model, std::uint64_t salt) override;
  std::vector<std::string> pollution(std::size_t n) override;
  std::vector<std::string> one_block_full() override;
  std::vector<std::string> keys_of_that_block(std::size_t n) override;

 private:
  std::string key_in(std::uint64_t block, std::uint32_t low, std::uint64_t salt) const;
  // The i-th of those that have no bit in common.  REQUIRES: i below the bits of a lane
  std::uint32_t disjoint_low(std::uint64_t i) const;

  bloomery::block_shape shape_;
  forward hash_;
  backward key_of_;
};

}  // namespace attack
