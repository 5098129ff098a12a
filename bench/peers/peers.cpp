#include "peers/peers.hpp"

#include <vector>

namespace bloomery::bench {
namespace {

[[maybe_unused]] bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return true;  // built for the machine as it is
#endif
}

std::vector<const bloomery_peer*> found() {
  std::vector<const bloomery_peer*> all;
#if defined(BLOOMERY_PEER_BOOST)
  if (has_avx2()) {
    all.push_back(&boost32_peer);
    all.push_back(&boost64_peer);
  }
#endif
#if defined(BLOOMERY_PEER_ROCKSDB)
  all.push_back(&rocksdb_peer);
  all.push_back(&rocksdb_ribbon_peer);
#endif
#if defined(BLOOMERY_PEER_RUST)
  all.push_back(&bloomery_peer_fastbloom);
  all.push_back(&bloomery_peer_binary_fuse8);
  all.push_back(&bloomery_peer_xor8);
#endif
#if defined(BLOOMERY_PEER_GO)
  all.push_back(&go_peer);
#endif
  all.push_back(&hash_set_peer);
  return all;
}

}  // namespace

std::span<const bloomery_peer* const> peers() {
  static const std::vector<const bloomery_peer*> all = found();
  return all;
}

const char* missing_peers() { return BLOOMERY_PEERS_MISSING; }

}  // namespace bloomery::bench
