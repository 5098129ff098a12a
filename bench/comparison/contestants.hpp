// Who is measured: the filters of this library, then the peers.
#pragma once

#include <vector>

#include "peers/peer.h"

namespace bloomery::bench {

struct contestant {
  bloomery_peer calls;
  bool ours = false;
  bool one_key_only = false;  // the rest is another's
};

std::vector<contestant> contestants();

}  // namespace bloomery::bench
