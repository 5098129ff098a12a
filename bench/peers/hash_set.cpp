// std::unordered_set: no false positives, and what they save.
//
// libstdc++ hashes an integer to itself, so nothing is charged for hashing.  Room for all
// keys is reserved first, as its users would.
#include <unordered_set>

#include "kit/loops.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {
namespace {

using set = std::unordered_set<std::uint64_t>;
set& of(void* p) { return *static_cast<set*>(p); }
const set& of(const void* p) { return *static_cast<const set*>(p); }

// A node is a pointer and a key, which malloc puts into 32 bytes.
constexpr std::size_t node_bytes = 32;

}  // namespace

const bloomery_peer hash_set_peer{
    .name = "std::unordered_set",
    .about = "of libstdc++, identity as hash; exact",
    .make = [](std::uint64_t keys, double) -> void* {
      auto* made = new set;
      made->reserve(keys);
      return made;
    },
    .insert = [](void* f, const std::uint64_t* keys,
                 std::size_t count) { of(f).insert(keys, keys + count); },
    .insert_batched = nullptr,
    .clear = [](void* f) { of(f).clear(); },
    .build = nullptr,
    .build_takes_threads = 0,
    .count =
        [](const void* f, const std::uint64_t* keys, std::size_t count) {
          return count_each(keys, count,
                            [&](std::uint64_t k) { return of(f).contains(k); });
        },
    .count_batched = nullptr,
    .ticks =
        [](const void* f, const std::uint64_t* keys, std::size_t count,
           std::uint64_t* out) {
          stamp_each(keys, count, out,
                     [&](std::uint64_t k) { return of(f).contains(k); });
        },
    // Full, the buckets of a second one, and a floor as large.
    .peak_bytes_per_key = 120,
    .max_keys = 0,
    .bytes =
        [](const void* f) {
          return of(f).bucket_count() * sizeof(void*) + of(f).size() * node_bytes;
        },
    .free = [](void* f) { delete &of(f); },
};

}  // namespace bloomery::bench
