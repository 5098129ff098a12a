// The filters under attack, and their forgers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <bloomery/hasher.hpp>

#include "forger.hpp"
#include "victim.hpp"

namespace attack {

// How much is done.
struct scale {
  std::size_t keys;     // of each filter: what it is sized for, at 1 %
  std::size_t targets;  // keys that are to become false positives
  std::size_t queries;  // crafted ones
  std::size_t lookups;  // by which a rate is measured
};

struct subject {
  std::string victim, hash;
  bool integers, keyed;
  std::function<std::unique_ptr<attack::victim>()> make;  // empty
  std::function<std::unique_ptr<attack::forger>()> forge;
};

// Honest key number i, as text of 36 characters or as an integer.  Those from `absent` on
// are in no filter.
inline constexpr std::uint64_t absent = std::uint64_t{1} << 40;
std::string honest_key(std::uint64_t i, bool integers);

// Everything public first, then what is keyed with `secret`: those are attacked as if
// they had the public hash, which is the best guess there is.
std::vector<subject> subjects(const scale& s, const bloomery::hasher::secret& secret);

// The block filter of texts alone, with a hasher.
subject block_of_texts(const scale& s, const bloomery::hasher& h);

}  // namespace attack
