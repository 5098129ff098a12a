/* What a filter, ours or another library's, must offer to be measured: a C table, so that
 * any language can fill it.
 *
 * Each call is a loop over many keys, in the peer's own language: crossing from one
 * language to another costs nothing per key.  Keys are hashed already: 64 uniform bits,
 * no two alike.  Where a peer insists on hashing them again, `about` says so.
 */
#ifndef BLOOMERY_BENCH_PEER_H
#define BLOOMERY_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bloomery_peer {
  const char* name;  /* in tables and charts */
  const char* about; /* version, build, and what is timed besides the filter */

  /* An empty filter, sized as its users would.  Null: it is made by `build` only. */
  void* (*make)(uint64_t keys, double fpr);
  void (*insert)(void* filter, const uint64_t* keys, size_t count);
  void (*insert_batched)(void* filter, const uint64_t* keys, size_t count); /* or null */
  void (*clear)(void* filter);

  /* A filter of these keys.  Null: by make and insert. */
  void* (*build)(const uint64_t* keys, size_t count, double fpr, unsigned threads);
  int build_takes_threads;

  /* How many of the keys may be present: one call a key; and batched, or null. */
  uint64_t (*count)(const void* filter, const uint64_t* keys, size_t count);
  uint64_t (*count_batched)(const void* filter, const uint64_t* keys, size_t count);

  /* Time stamps that each lookup takes (kit/latency.hpp), or null. */
  void (*ticks)(const void* filter, const uint64_t* keys, size_t count, uint64_t* out);

  /* Memory that measuring it may take at the worst, or 0 if it is a few bytes per key. */
  unsigned peak_bytes_per_key;
  uint64_t max_keys; /* beyond, building it would take minutes; 0: no limit */
  size_t (*bytes)(const void* filter); /* that lookups may touch */
  void (*free)(void* filter);
} bloomery_peer;

#ifdef __cplusplus
}
#endif

#endif
