// What is compared: every kind of this library, then the peers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "peers/peer.h"

namespace bloomery::bench {

// How many of the keys were erased; null where the filter cannot.
struct erase_calls {
  std::uint64_t (*each)(void* filter, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*batched)(void* filter, const std::uint64_t* keys, std::size_t count);
};

struct candidate {
  std::string name, about;
  bloomery_peer calls;
  bool ours = false;
  bool forgets = false;       // by design: a key that was inserted may be gone
  bool one_key_only = false;  // the rest is another's
  erase_calls erases{};
};

std::vector<candidate> candidates();

}  // namespace bloomery::bench
