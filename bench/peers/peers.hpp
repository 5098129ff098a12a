// The filters of other libraries that this build could find.
#pragma once

#include <span>

#include "peers/peer.h"

extern "C" {
extern const bloomery_peer bloomery_peer_fastbloom;
extern const bloomery_peer bloomery_peer_binary_fuse8;
extern const bloomery_peer bloomery_peer_xor8;
}

namespace bloomery::bench {

extern const bloomery_peer hash_set_peer;
extern const bloomery_peer rocksdb_peer;
extern const bloomery_peer rocksdb_ribbon_peer;
extern const bloomery_peer go_peer;
extern const bloomery_peer boost32_peer;
extern const bloomery_peer boost64_peer;

// In the order of the tables; the one that takes most memory last.
std::span<const bloomery_peer* const> peers();

// What CMake did not find, and why: text for the report; empty if all are here.
const char* missing_peers();

}  // namespace bloomery::bench
