// Hashes, sizes, promises, and what make makes of them.
#include <math.h>

#include "check.h"

void test_hash(void) {
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  uint64_t hash = 0, other = 0;
  CHECK_OK(bloomery_hash_self_check(NULL));
  CHECK_OK(bloomery_hash_bytes(NULL, "alice", 5, &hash));
  CHECK_OK(bloomery_hash_bytes(&hasher, "alice", 5, &other));
  CHECK(hash == other);
  hasher.seed = 1;
  CHECK_OK(bloomery_hash_bytes(&hasher, "alice", 5, &other));
  CHECK(hash != other);
  CHECK_OK(bloomery_hash_bytes(NULL, NULL, 0, &hash));
  CHECK(hash == 0x2d06800538d394c2ull);  // XXH3 of nothing

  // The hash of "bloomery": spec/hash.md, section 7.
  hasher.seed = 0;
  hasher.id = BLOOMERY_HASH_FNV1A_SPLITMIX;
  CHECK_OK(bloomery_hash_check(&hasher, &hash));
  CHECK_OK(bloomery_hash_bytes(&hasher, "bloomery", 8, &other));
  CHECK(hash == other);
  hasher.seed = 1;
  CHECK_INVALID(bloomery_hash_check(&hasher, &hash));
  hasher.seed = 0;
  hasher.secret[3] = 1;
  CHECK_INVALID(bloomery_hash_check(&hasher, &hash));
  hasher.id = BLOOMERY_HASH_SIPHASH13;
  CHECK_OK(bloomery_hash_check(&hasher, &hash));
  hasher.secret[3] = 2;
  CHECK_OK(bloomery_hash_check(&hasher, &other));
  CHECK(hash != other);
  CHECK_OK(bloomery_random_secret(hasher.secret, NULL));  // equal: 1 in 2^64
  CHECK_OK(bloomery_hash_check(&hasher, &hash));
  CHECK(hash != other);
  CHECK_OK(bloomery_random_secret(hasher.secret, NULL));
  CHECK_OK(bloomery_hash_check(&hasher, &other));
  CHECK(hash != other);
  hasher.id = 99;
  CHECK_STATUS(bloomery_hash_check(&hasher, &hash), BLOOMERY_UNSUPPORTED);
  CHECK(strcmp(bloomery_hash_name(BLOOMERY_HASH_SIPHASH13), "siphash13") == 0);
  CHECK(strcmp(bloomery_hash_name(0), "unknown") == 0);

  // An integer is its eight bytes, but for XXH3.
  bloomery_hasher xxh64 = BLOOMERY_HASHER_INIT;
  xxh64.id = BLOOMERY_HASH_XXH64;
  CHECK_OK(bloomery_hash_u64(&xxh64, 0x41, &hash));
  CHECK_OK(bloomery_hash_bytes(&xxh64, "A\0\0\0\0\0\0\0", 8, &other));
  CHECK(hash == other);
  CHECK_OK(bloomery_hash_u64(NULL, 0x41, &hash));
  CHECK_OK(bloomery_hash_bytes(NULL, "A\0\0\0\0\0\0\0", 8, &other));
  CHECK(hash != other);
}

static void test_rules(uint32_t kind) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_layout by_rate = BLOOMERY_LAYOUT_INIT, layout = BLOOMERY_LAYOUT_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  // A cell of 4 bits for each bit.
  const unsigned larger = strcmp(bloomery_kind_units(kind), "cells") == 0 ? 5 : 1;
  const int slots = strcmp(bloomery_kind_units(kind), "slots") == 0;
  options.kind = kind;
  options.keys = 10000;
  options.fpr = 0.01;
  CHECK_OK(bloomery_size(&options, &by_rate, &error));
  CHECK(by_rate.kind == kind && by_rate.hashes >= 1);
  if (slots)  // with a byte for each shard
    CHECK(by_rate.size_in_bytes > by_rate.bits / 8);
  else
    CHECK(by_rate.size_in_bytes == (by_rate.bits + 7) / 8);
  CHECK(by_rate.expected_fpr > min_rate(kind));
  CHECK(by_rate.expected_fpr < 0.0102);

  // What make makes is what was said.
  bloomery_filter* filter = NULL;
  bloomery_info info = BLOOMERY_INFO_INIT;
  if (grows(kind)) {
    CHECK_OK(bloomery_filter_make(&options, &filter, &error));
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_RATES, &info));
    CHECK(info.bits == by_rate.bits && info.hashes == by_rate.hashes);
    CHECK(info.blocks == by_rate.blocks && info.profile == by_rate.profile);
    CHECK(info.expected_fpr == by_rate.expected_fpr);
    bloomery_filter_free(filter);
  } else {
    CHECK_STATUS(bloomery_filter_make(&options, &filter, &error), BLOOMERY_UNSUPPORTED);
  }

  options.fpr = 0;
  CHECK_INVALID(bloomery_size(&options, &layout, &error));
  options.size_by = BLOOMERY_SIZE_BY_BITS_PER_KEY;
  CHECK_INVALID(bloomery_size(&options, &layout, &error));
  options.bits_per_key = 12 * larger;
  CHECK_OK(bloomery_size(&options, &layout, &error));
  // Whole lines, of a window in each generation.
  const unsigned line = kind == BLOOMERY_KIND_SCALABLE ? 512 : 0;
  CHECK(layout.bits < 120000 * larger + (line == 0 ? 1 : line));
  CHECK(layout.bits > (erases(kind) || !grows(kind)   ? 100000
                       : kind == BLOOMERY_KIND_WINDOW ? 120000 - 4 * 512
                                                      : 119000) *
                          larger);
  if (kind != BLOOMERY_KIND_STABLE)  // whose rate is asked for beside its size
    CHECK((layout.expected_fpr < by_rate.expected_fpr) == (layout.bits > by_rate.bits));
  options.bits_per_key = NAN;
  CHECK_INVALID(bloomery_size(&options, &layout, &error));
  options.bits_per_key = 1e300;
  CHECK_STATUS(bloomery_size(&options, &layout, &error), BLOOMERY_TOO_LARGE);
  options.bits_per_key = INFINITY;
  CHECK_STATUS(bloomery_size(&options, &layout, &error), BLOOMERY_TOO_LARGE);
  options.bits_per_key = 12;
  options.fpr = 0.01;  // two rules
  CHECK_STATUS(bloomery_size(&options, &layout, &error),
               kind == BLOOMERY_KIND_STABLE ? BLOOMERY_OK : BLOOMERY_INVALID_ARGUMENT);
  options.fpr = options.bits_per_key = 0;
  options.size_by = BLOOMERY_SIZE_BY_MEMORY;
  const bloomery_status nothing = bloomery_size(&options, &layout, &error);
  CHECK(nothing == BLOOMERY_INVALID_ARGUMENT ||
        (erases(kind) && nothing == BLOOMERY_UNATTAINABLE));  // keys that do not fit
  options.memory = erases(kind) ? 8192 * larger : 4096;
  CHECK_OK(bloomery_size(&options, &layout, &error));
  CHECK(layout.size_in_bytes <= options.memory);
  CHECK(layout.size_in_bytes >= (grows(kind) ? 4096 : slots ? 2048 : 3900));
  // A stable filter has the rate that was asked for at any size.
  if (kind == BLOOMERY_KIND_STABLE)
    CHECK(fabs(layout.expected_fpr - by_rate.expected_fpr) < 1e-6);
  else
    CHECK(layout.expected_fpr > by_rate.expected_fpr);
  options.memory = UINT64_MAX;
  CHECK_STATUS(bloomery_size(&options, &layout, &error), BLOOMERY_TOO_LARGE);
  options.memory = 0;
  options.size_by = 4;
  CHECK_STATUS(bloomery_size(&options, &layout, &error), BLOOMERY_UNSUPPORTED);
  options.size_by = BLOOMERY_SIZE_EXACT;
  if (!grows(kind)) return;
  CHECK_INVALID(bloomery_size(&options, &layout, &error));

  // Exactly the same layout again.  For counters this interface makes the flat layout
  // only.
  if (kind == BLOOMERY_KIND_COUNTING) return;
  if (by_rate.blocks != 0) {
    options.blocks = by_rate.blocks;
    options.profile = by_rate.profile;
  } else {
    options.bits = by_rate.bits;
    options.hashes = by_rate.hashes;
  }
  CHECK_OK(bloomery_size(&options, &layout, &error));
  CHECK(layout.bits == by_rate.bits && layout.hashes == by_rate.hashes);
  // Bits alone leave a choice: of the decrement, or of the quotients in the last block.
  if (kind != BLOOMERY_KIND_STABLE && kind != BLOOMERY_KIND_QUOTIENT)
    CHECK(layout.expected_fpr == by_rate.expected_fpr);
  else
    CHECK(layout.expected_fpr <= 0.01);
  if (kind == BLOOMERY_KIND_QUOTIENT) {
    options.bits += 1;
    CHECK_INVALID(bloomery_size(&options, &layout, &error));
    options.bits -= 1;
  }
  options.keys = 0;
  CHECK_OK(bloomery_size(&options, &layout, &error));
  CHECK(isnan(layout.expected_fpr));
}

// A tree of four levels that grow by 10, with 10 bits for each key on average.
static void test_budget(void) {
  const uint64_t keys[] = {1000, 10000, 100000, 1000000};
  const uint32_t block[] = {BLOOMERY_KIND_BLOCK, BLOOMERY_KIND_BLOCK, BLOOMERY_KIND_BLOCK,
                            BLOOMERY_KIND_BLOCK};
  const double all = 1111000, none[] = {0, 0, 0, 1}, wrong[] = {1, -1, 1, 1};
  double bits[4], equal = 0, wasted = 0, used = 0;
  CHECK_OK(bloomery_budget(block, keys, NULL, 4, 10 * all, bits, &wasted, NULL));
  for (size_t i = 0; i < 4; ++i) {
    double alone = 0, rate = 0;
    CHECK_OK(bloomery_budget(block, keys + i, NULL, 1, 10 * (double)keys[i], &alone,
                             &rate, NULL));
    CHECK(alone <= 10 && alone > 9.7 && rate > 0.009 && rate < 0.03);
    equal += rate;
    used += bits[i] * (double)keys[i];
    CHECK(i == 0 || bits[i] < bits[i - 1]);
  }
  CHECK(used <= 10 * all * (1 + 1e-9) && used > 9.9 * all);
  CHECK(wasted < 0.5 * equal && wasted > 0.3 * equal);
  // Filters that nobody asks get nothing.
  CHECK_OK(bloomery_budget(block, keys, none, 4, 10 * all, bits, NULL, NULL));
  CHECK(bits[0] == 0 && bits[1] == 0 && bits[2] == 0 && bits[3] > 10);
  CHECK_INVALID(bloomery_budget(block, keys, wrong, 4, 10 * all, bits, NULL, NULL));
  CHECK_INVALID(bloomery_budget(block, keys, NULL, 4, -1, bits, NULL, NULL));
  const uint32_t unknown[] = {99};
  CHECK_STATUS(bloomery_budget(unknown, keys, NULL, 1, 10, bits, NULL, NULL),
               BLOOMERY_UNSUPPORTED);
}

void test_sizing(void) {
  test_budget();
  for (size_t i = 0; i < bloomery_kind_count(); ++i) test_rules(bloomery_kind_at(i));

  // spec/filters.md: n = 1000 at 1 %.
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_layout layout = BLOOMERY_LAYOUT_INIT;
  options.kind = BLOOMERY_KIND_PORTABLE;
  options.keys = 1000;
  options.fpr = 0.01;
  CHECK_OK(bloomery_size(&options, &layout, NULL));
  CHECK(layout.bits == 9586 && layout.hashes == 7 && layout.size_in_bytes == 1199);

  bloomery_promise promise = BLOOMERY_PROMISE_INIT;
  CHECK_OK(bloomery_portable_promise(9586, 7, 1000, 0.01, &promise, NULL));
  CHECK(promise.is_kept && !promise.is_refused && promise.cause == BLOOMERY_PROMISE_KEPT);
  CHECK(promise.true_fpr == bloomery_portable_expected_fpr(9586, 7, 1000));
  CHECK(promise.ratio == promise.true_fpr / 0.01);
  CHECK_OK(bloomery_portable_promise(43133, 30, 1000, 1e-9, &promise, NULL));
  CHECK(!promise.is_kept && promise.is_refused);
  CHECK(promise.cause == BLOOMERY_PROMISE_DOUBLE_HASHING);
  CHECK_OK(bloomery_portable_promise(1ull << 40, 7, 1ull << 36, 0.01, &promise, NULL));
  CHECK(promise.cause == BLOOMERY_PROMISE_SHORT_HALVES);
  CHECK_INVALID(bloomery_portable_promise(0, 7, 1000, 0.01, &promise, NULL));
  CHECK_INVALID(bloomery_portable_promise(9586, 7, 1000, 1, &promise, NULL));
  CHECK(isnan(bloomery_portable_expected_fpr(10, 0, 1)));
  const double kept = bloomery_portable_smallest_kept_fpr(1000);
  CHECK(kept > 1e-9 && kept < 0.01);
}

static bloomery_status make(const bloomery_options* options) {
  bloomery_filter* filter = NULL;
  const bloomery_status status = bloomery_filter_make(options, &filter, NULL);
  CHECK((filter != NULL) == (status == BLOOMERY_OK));
  bloomery_filter_free(filter);
  return status;
}

// A plan of growth: kept, or refused.
static void test_growth(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_info before = BLOOMERY_INFO_INIT, after = BLOOMERY_INFO_INIT;
  bloomery_filter* filter = NULL;
  options.kind = BLOOMERY_KIND_SCALABLE;
  options.keys = 100;
  options.fpr = 0.01;
  options.max_growth = 20;
  options.growth = 4;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  if (filter == NULL) return;
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &before));
  insert_keys(filter, 2000);
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &after));
  CHECK(after.size_in_bytes == 21 * before.size_in_bytes);  // 1 + 4 + 16
  CHECK(bloomery_filter_realised_fpr(filter) <= 0.01);
  CHECK(bloomery_filter_realised_fpr(filter) > 0.003);
  insert_keys(filter, 20000);  // beyond it: no key is lost, and the rate says so
  CHECK(bloomery_filter_realised_fpr(filter) > 0.01);
  bloomery_filter_free(filter);
  options.growth = 3;
  CHECK_INVALID(make(&options));
  options.growth = 0;
  options.max_growth = 0.5;
  CHECK_INVALID(make(&options));
  options.max_growth = 5;
  options.flags = BLOOMERY_DYNAMIC;
  CHECK_INVALID(make(&options));
  options.max_growth = 0;
  CHECK_OK(make(&options));
  options.flags = 0;
  options.generations = 3;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.generations = 0;
  options.kind = BLOOMERY_KIND_BLOCK;
  options.max_growth = 5;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
}

// The smallest number of other keys after which the first of a window is forgotten.
static unsigned window_of(uint32_t generations) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter* filter = NULL;
  options.kind = BLOOMERY_KIND_WINDOW;
  options.gap = 1000;
  options.fpr = 0.0001;
  options.generations = generations;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  if (filter == NULL) return 0;
  CHECK_OK(bloomery_filter_insert(filter, "first", 5));
  unsigned n = 0;
  while (n < 5000 && bloomery_filter_may_contain(filter, "first", 5)) {
    ++n;
    CHECK_OK(bloomery_filter_insert(filter, &n, sizeof n));
  }
  bloomery_filter_free(filter);
  return n;
}

// How far back a filter remembers: by gap and generations.
static void test_forgetting(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_layout by_keys = BLOOMERY_LAYOUT_INIT, layout = BLOOMERY_LAYOUT_INIT;
  // G generations of N / (G - 1) keys: fewer ones keep more than they must.
  const unsigned two = window_of(2), four = window_of(0), many = window_of(101);
  CHECK(two >= 1000 && two <= 2000 && two > four);
  CHECK(four >= 1000 && four <= 1400 && four > many);
  CHECK(many >= 1000 && many <= 1020);

  options.kind = BLOOMERY_KIND_WINDOW;
  options.gap = 1000;
  options.fpr = 0.01;
  options.generations = 1;
  CHECK_INVALID(make(&options));
  options.generations = 1025;
  CHECK_INVALID(make(&options));
  options.generations = 8;
  options.keys = 1000;  // both, and equal
  CHECK_OK(make(&options));
  options.keys = 999;
  CHECK_INVALID(make(&options));
  options.gap = 0;
  options.kind = BLOOMERY_KIND_STABLE;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);  // generations

  // The gap of a stable filter is what it is sized for.
  options.generations = 0;
  options.keys = 10000;
  CHECK_OK(bloomery_size(&options, &by_keys, NULL));
  options.keys = 0;
  options.gap = 10000;
  CHECK_OK(bloomery_size(&options, &layout, NULL));
  CHECK(memcmp(&layout, &by_keys, sizeof layout) == 0);
  options.gap = 100;
  CHECK_OK(bloomery_size(&options, &layout, NULL));
  CHECK(layout.size_in_bytes < by_keys.size_in_bytes / 50);
  // A rate and memory: the rate is kept, however small.
  options.size_by = BLOOMERY_SIZE_BY_MEMORY;
  options.memory = 2048;
  CHECK_OK(bloomery_size(&options, &layout, NULL));
  CHECK(layout.size_in_bytes <= 2048 && layout.expected_fpr <= 0.0103);
  const double low = layout.expected_fpr;
  options.fpr = 0.1;
  CHECK_OK(bloomery_size(&options, &layout, NULL));
  CHECK(layout.expected_fpr > low && layout.expected_fpr <= 0.103);
  options.kind = BLOOMERY_KIND_WINDOW;
  CHECK_INVALID(make(&options));  // a rate beside memory
  options.fpr = 0;
  CHECK_OK(make(&options));
  options.kind = BLOOMERY_KIND_BLOCK;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);  // a gap
}

void test_make(void) {
  test_growth();
  test_forgetting();
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  CHECK_INVALID(make(&options));
  options.keys = 1000;
  options.fpr = 0.001;
  CHECK_OK(make(&options));
  options.flags = BLOOMERY_FOLDABLE;
  CHECK_OK(make(&options));
  options.flags = BLOOMERY_FORCE;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.flags = 8;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.flags = BLOOMERY_DYNAMIC;  // of a kind that does not grow
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.flags = 0;
  options.profile = BLOOMERY_PROFILE_SPLIT;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.profile = BLOOMERY_PROFILE_HALF_LINE;
  CHECK_OK(make(&options));
  options.profile = 0;
  options.hasher = &hasher;
  hasher.id = BLOOMERY_HASH_SIPHASH13;
  CHECK_OK(make(&options));
  options.kind = BLOOMERY_KIND_SPLIT_BLOCK;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  hasher.id = BLOOMERY_HASH_XXH64;
  CHECK_OK(make(&options));
  options.kind = BLOOMERY_KIND_PORTABLE;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.hasher = NULL;
  CHECK_OK(make(&options));
  options.fpr = 1e-9;
  CHECK_STATUS(make(&options), BLOOMERY_UNATTAINABLE);
  options.flags = BLOOMERY_FORCE;
  CHECK_OK(make(&options));
  options.flags = 0;
  options.profile = BLOOMERY_PROFILE_LINE;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.profile = 0;
  options.kind = BLOOMERY_KIND_FOREIGN;
  CHECK_STATUS(make(&options), BLOOMERY_UNSUPPORTED);
  options.kind = BLOOMERY_KIND_BLOOM;
  options.keys = UINT64_MAX;
  CHECK_STATUS(make(&options), BLOOMERY_TOO_LARGE);

  // More memory than any machine has is a status, not an end.
  options.keys = 1000;
  options.fpr = 0;
  options.size_by = BLOOMERY_SIZE_BY_MEMORY;
  options.memory = 1ull << 45;
  CHECK_STATUS(make(&options), BLOOMERY_OUT_OF_MEMORY);
}
