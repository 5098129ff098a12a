// RocksDB's Bloom filter, cache-local, and its ribbon filter: each made whole from all
// keys of a table.
//
// AddKey hashes the key (XXH3 of 8 bytes) and keeps the hash, Finish sets the bits; a
// lookup hashes the key again.  There is no way in for a precomputed hash.  Both are
// virtual calls, as in RocksDB itself; batches have 32 keys, its own limit.
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "internal_classes.hpp"
#include "kit/count.hpp"
#include "kit/loops.hpp"
#include "peers/peers.hpp"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace bloomery::bench {
namespace {

struct table_filter {
  std::unique_ptr<const char[]> storage;
  rocksdb::Slice bits;
  std::unique_ptr<rocksdb::FilterBitsReader> reader;
};
table_filter& of(void* p) { return *static_cast<table_filter*>(p); }
const table_filter& of(const void* p) { return *static_cast<const table_filter*>(p); }

// The header recommends 9.9 bits per key for 1 %: this much above the classic formula.
double bits_per_key(double fpr) {
  return std::round(9.9 * std::log2(1 / fpr) / std::log2(100) * 1000) / 1000;
}

rocksdb::Slice slice_of(const std::uint64_t& key) {
  return {reinterpret_cast<const char*>(&key), sizeof key};
}

const rocksdb::FilterPolicy* bloom_policy(double fpr) {
  return rocksdb::NewBloomFilterPolicy(bits_per_key(fpr));
}
// Its parameter is the bits of a Bloom filter of the same rate; -1: at every level of a
// tree.
const rocksdb::FilterPolicy* ribbon_policy(double fpr) {
  return rocksdb::NewRibbonFilterPolicy(bits_per_key(fpr), -1);
}

template <const rocksdb::FilterPolicy* (*new_policy)(double fpr)>
void* build(const std::uint64_t* keys, std::size_t count, double fpr, unsigned) {
  const std::unique_ptr<const rocksdb::FilterPolicy> policy(new_policy(fpr));
  const rocksdb::BlockBasedTableOptions options;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy->GetBuilderWithContext(rocksdb::FilterBuildingContext(options)));
  for (std::size_t i = 0; i < count; ++i) builder->AddKey(slice_of(keys[i]));
  auto made = std::make_unique<table_filter>();
  made->bits = builder->Finish(&made->storage);
  made->reader.reset(policy->GetFilterBitsReader(made->bits));
  return made.release();
}

std::uint64_t count_batched(const void* f, const std::uint64_t* keys, std::size_t count) {
  constexpr std::size_t batch = 32;
  std::array<rocksdb::Slice, batch> slices;
  std::array<rocksdb::Slice*, batch> pointers;
  std::array<bool, batch> answers;
  std::uint64_t yes = 0;
  for (std::size_t i = 0; i < count; i += batch) {
    const std::size_t part = std::min(batch, count - i);
    for (std::size_t j = 0; j < part; ++j) {
      slices[j] = slice_of(keys[i + j]);
      pointers[j] = &slices[j];
    }
    of(f).reader->MayMatch(static_cast<int>(part), pointers.data(), answers.data());
    yes += count_yes(std::span(answers).first(part));
  }
  return yes;
}

#define ROCKSDB_VERSION \
  TEXT(ROCKSDB_MAJOR) "." TEXT(ROCKSDB_MINOR) "." TEXT(ROCKSDB_PATCH)

template <const rocksdb::FilterPolicy* (*new_policy)(double fpr)>
constexpr bloomery_peer peer(const char* name, const char* about,
                             unsigned peak_bytes_per_key) {
  return {
      .name = name,
      .about = about,
      .make = nullptr,
      .insert = nullptr,
      .insert_batched = nullptr,
      .clear = nullptr,
      .build = build<new_policy>,
      .build_takes_threads = 0,
      .count =
          [](const void* f, const std::uint64_t* keys, std::size_t count) {
            rocksdb::FilterBitsReader& reader = *of(f).reader;
            return count_each(keys, count, [&](const std::uint64_t& k) {
              return reader.MayMatch(slice_of(k));
            });
          },
      .count_batched = count_batched,
      .ticks =
          [](const void* f, const std::uint64_t* keys, std::size_t count,
             std::uint64_t* out) {
            rocksdb::FilterBitsReader& reader = *of(f).reader;
            stamp_each(keys, count, out, [&](const std::uint64_t& k) {
              return reader.MayMatch(slice_of(k));
            });
          },
      .peak_bytes_per_key = peak_bytes_per_key,
      .max_keys = 0,
      .bytes = [](const void* f) { return of(f).bits.size(); },
      .free = [](void* f) { delete &of(f); },
  };
}

}  // namespace

const bloomery_peer rocksdb_peer =
    peer<bloom_policy>("RocksDB",
                       "librocksdb " ROCKSDB_VERSION
                       ", full filter; hashes the 8 bytes of each key again (XXH3); "
                       "batches of 32; the library as packaged",
                       20);
const bloomery_peer rocksdb_ribbon_peer = peer<ribbon_policy>(
    "RocksDB ribbon",
    "librocksdb " ROCKSDB_VERSION ", full filter, windows of 128; otherwise as RocksDB",
    48);

}  // namespace bloomery::bench
