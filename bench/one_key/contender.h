/* A filter that is measured with integers as its users have them: the hash is part of
 * every call.
 *
 * A C table, so that other languages and other versions of the library can fill it.  The
 * loops are in it, so that a call of a filter is inlined in one of them, and one call of
 * a function in the other: an integer in, a bool out.
 */
#ifndef BLOOMERY_BENCH_ONE_KEY_CONTENDER_H
#define BLOOMERY_BENCH_ONE_KEY_CONTENDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct one_key_contender {
  const char* name;
  unsigned bits; /* its rate is meant to be 2^-bits */
  int forgets;   /* keys that were inserted may be absent */

  /* Null: it is made by `build` only. */
  void* (*make)(uint64_t keys, unsigned bits);
  void (*insert)(void* filter, const uint64_t* keys, size_t count);
  /* A filter of these keys, no two alike. */
  void* (*build)(const uint64_t* keys, size_t count, unsigned bits);

  /* How many may be present. */
  uint64_t (*count_inline)(const void* filter, const uint64_t* keys, size_t count);
  uint64_t (*count_called)(const void* filter, const uint64_t* keys, size_t count);

  size_t (*bytes)(const void* filter);
  void (*free)(void* filter);
} one_key_contender;

#ifdef __cplusplus
}
#endif

#endif
