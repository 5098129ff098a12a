// What a call with one key costs from C: integers, texts of 16 bytes and hashes, one by
// one and in batches, of filters of a kind at 1 %.
//
//   bench_c [KEYS [KIND]]      1000000 keys of a block filter
//
// Nanoseconds per key, the minimum of 7 passes that take turns.  Texts lie side by side.
// The row "hashes" is the call without a hash: the difference is what the hash costs.
#define _POSIX_C_SOURCE 199309L
#include <bloomery/bloomery.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES = 7, TEXT = 16, GROUP = 1024 };

enum sort { INTEGERS, TEXTS, HASHES, SORTS };
enum call { INSERT, PRESENT, ABSENT, CALLS };

// Keys of one sort: the same numbers as integers, as texts and as hashes.
struct keys {
  size_t count;
  uint64_t* numbers;
  char* text;
  uint64_t* offsets;
};

static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static void* room(size_t bytes) {
  void* p = malloc(bytes);
  if (p == NULL) exit(2);
  memset(p, 0, bytes);
  return p;
}

static struct keys keys_from(uint64_t first, size_t count) {
  struct keys k = {count, room(count * 8), room(count * TEXT), room((count + 1) * 8)};
  for (size_t i = 0; i < count; ++i) {
    static const char hex[] = "0123456789abcdef";
    k.numbers[i] = mixed(first + i);
    for (int j = 0; j < TEXT; ++j)
      k.text[i * TEXT + j] = hex[k.numbers[i] >> (4 * j) & 15];
    k.offsets[i + 1] = (i + 1) * TEXT;
  }
  return k;
}

static void free_keys(struct keys* k) {
  free(k->numbers);
  free(k->text);
  free(k->offsets);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Each returns what its calls returned, in sum, so that they are not left out.
static long one_by_one(bloomery_filter* f, enum sort s, enum call c,
                       const struct keys* k) {
  long sum = 0;
  const size_t n = k->count;
  if (c == INSERT) {
    if (s == INTEGERS)
      for (size_t i = 0; i < n; ++i) sum += bloomery_filter_insert_u64(f, k->numbers[i]);
    else if (s == HASHES)
      for (size_t i = 0; i < n; ++i) sum += bloomery_filter_insert_hash(f, k->numbers[i]);
    else
      for (size_t i = 0; i < n; ++i)
        sum += bloomery_filter_insert(f, k->text + i * TEXT, TEXT);
  } else if (s == INTEGERS) {
    for (size_t i = 0; i < n; ++i)
      sum += bloomery_filter_may_contain_u64(f, k->numbers[i]);
  } else if (s == HASHES) {
    for (size_t i = 0; i < n; ++i)
      sum += bloomery_filter_may_contain_hash(f, k->numbers[i]);
  } else {
    for (size_t i = 0; i < n; ++i)
      sum += bloomery_filter_may_contain(f, k->text + i * TEXT, TEXT);
  }
  return sum;
}

static long in_batches(bloomery_filter* f, enum sort s, enum call c,
                       const struct keys* k) {
  long sum = 0;
  uint8_t found[GROUP];
  for (size_t i = 0; i < k->count; i += GROUP) {
    const size_t n = k->count - i < GROUP ? k->count - i : GROUP;
    const uint64_t* numbers = k->numbers + i;
    if (c == INSERT)
      sum += s == INTEGERS ? bloomery_filter_insert_u64_batch(f, numbers, n)
             : s == HASHES ? bloomery_filter_insert_hash_batch(f, numbers, n)
                           : bloomery_filter_insert_packed(f, k->text, k->offsets + i, n);
    else
      sum += s == INTEGERS ? bloomery_filter_may_contain_u64_batch(f, numbers, n, found)
             : s == HASHES ? bloomery_filter_may_contain_hash_batch(f, numbers, n, found)
                           : bloomery_filter_may_contain_packed(f, k->text,
                                                                k->offsets + i, n, found);
    if (c != INSERT)
      for (size_t j = 0; j < n; ++j) sum += found[j];
  }
  return sum;
}

static bloomery_filter* filter_of(enum sort s, uint32_t kind, size_t keys) {
  static const uint32_t sources[SORTS] = {BLOOMERY_SOURCE_INTEGERS, BLOOMERY_SOURCE_BYTES,
                                          BLOOMERY_SOURCE_HASHES};
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_filter* f = NULL;
  hasher.source = sources[s];
  options.kind = kind;
  options.keys = keys;
  options.fpr = 0.01;
  options.hasher = &hasher;
  if (bloomery_filter_make(&options, &f, &error) != BLOOMERY_OK) {
    fprintf(stderr, "bench_c: %s\n", error.message);
    exit(2);
  }
  return f;
}

int main(int argc, char** argv) {
  static const char* const sorts[] = {"integers", "texts of 16 bytes", "hashes"};
  static const char* const calls[] = {"insert", "present", "absent"};
  const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
  const uint32_t kind = bloomery_kind_find(argc > 2 ? argv[2] : "block");
  if (n == 0 || !bloomery_kind_can(kind, BLOOMERY_CAN_INSERT)) {
    fprintf(stderr, "usage: bench_c [KEYS [KIND]], of a kind that takes every key\n");
    return 2;
  }
  struct keys there = keys_from(0, n), others = keys_from((uint64_t)1 << 40, n);
  double best[SORTS][CALLS][2];
  long wrong = 0;
  for (int pass = 0; pass < PASSES; ++pass)
    for (int s = 0; s < SORTS; ++s)
      for (int batched = 0; batched < 2; ++batched) {
        bloomery_filter* f = filter_of((enum sort)s, kind, n);
        for (int c = 0; c < CALLS; ++c) {
          const struct keys* k = c == ABSENT ? &others : &there;
          const double start = now();
          const long sum =
              (batched ? in_batches : one_by_one)(f, (enum sort)s, (enum call)c, k);
          const double ns = (now() - start) / (double)n;
          if (c == INSERT ? sum != 0 : c == PRESENT && (size_t)sum != n) wrong = 1;
          if (pass == 0 || ns < best[s][c][batched]) best[s][c][batched] = ns;
        }
        bloomery_filter_free(f);
      }
  printf("%s, %zu keys, 1 %%, kernel %s; ns per key\n\n", bloomery_kind_name(kind), n,
         bloomery_kernel_name());
  printf("| keys | call | one by one | batches of %d |\n|---|---|---|---|\n", GROUP);
  for (int s = 0; s < SORTS; ++s)
    for (int c = 0; c < CALLS; ++c)
      printf("| %s | %s | %.1f | %.1f |\n", sorts[s], calls[c], best[s][c][0],
             best[s][c][1]);
  free_keys(&there);
  free_keys(&others);
  if (wrong) fprintf(stderr, "bench_c: a call failed, or a key was forgotten\n");
  return wrong ? 2 : 0;
}
