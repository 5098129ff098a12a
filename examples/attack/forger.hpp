// What an attacker who knows a filter's hash can do to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attack {

class forger {
 public:
  virtual ~forger() = default;

  // Another key that sets and tests the same bits as `model`; one for each salt.
  virtual std::string same_bits(std::string_view model, std::uint64_t salt) = 0;

  // n keys that set more bits than any n others: as few as can be meet a bit that is set.
  virtual std::vector<std::string> pollution(std::size_t n) = 0;

  // Keys that set every bit of one block, and keys that fall into it.  None where a
  // filter has no blocks.
  virtual std::vector<std::string> one_block_full() { return {}; }
  virtual std::vector<std::string> keys_of_that_block(std::size_t) { return {}; }
};

}  // namespace attack
