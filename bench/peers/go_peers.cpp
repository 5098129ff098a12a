// The table of the peer written in Go (go/bits_and_blooms.go).
//
// No percentiles: Go has no cheap time stamp, and a call from C into Go costs more than a
// lookup.
#include <cstddef>
#include <cstdint>

#include "peers/peers.hpp"

extern "C" {
std::uintptr_t bloomery_go_make(std::uint64_t keys, double fpr);
void bloomery_go_insert(std::uintptr_t f, const std::uint64_t* keys, std::size_t count);
void bloomery_go_clear(std::uintptr_t f);
std::uint64_t bloomery_go_count(std::uintptr_t f, const std::uint64_t* keys,
                                std::size_t count);
std::size_t bloomery_go_bytes(std::uintptr_t f);
void bloomery_go_free(std::uintptr_t f);
}

namespace bloomery::bench {
namespace {

// Go hands out numbers for its objects, not pointers to them.
std::uintptr_t of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

const bloomery_peer go_peer{
    .name = "bits-and-blooms (Go)",
    .about = "bloom v3.7.1; hashes the 8 bytes of each key again (murmur3)",
    .make = [](std::uint64_t keys, double fpr) -> void* {
      return reinterpret_cast<void*>(bloomery_go_make(keys, fpr));
    },
    .insert = [](void* f, const std::uint64_t* keys,
                 std::size_t count) { bloomery_go_insert(of(f), keys, count); },
    .insert_batched = nullptr,
    .clear = [](void* f) { bloomery_go_clear(of(f)); },
    .build = nullptr,
    .build_takes_threads = 0,
    .count = [](const void* f, const std::uint64_t* keys,
                std::size_t count) { return bloomery_go_count(of(f), keys, count); },
    .count_batched = nullptr,
    .ticks = nullptr,
    .peak_bytes_per_key = 0,
    .max_keys = 0,
    .bytes = [](const void* f) { return bloomery_go_bytes(of(f)); },
    .free = [](void* f) { bloomery_go_free(of(f)); },
};

}  // namespace bloomery::bench
