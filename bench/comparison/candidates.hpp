// What is compared: every kind of this library, then the peers.
#pragma once

#include <string>
#include <vector>

#include "peers/peer.h"

namespace bloomery::bench {

struct candidate {
  std::string name, about;
  bloomery_peer calls;
  bool ours = false;
  bool one_key_only = false;  // the rest is another's
};

std::vector<candidate> candidates();

}  // namespace bloomery::bench
