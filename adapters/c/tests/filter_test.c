// Keys in and out, filters combined and measured, for every kind.
#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { count = 1000 };

static struct {
  char text[2 * count][32];
  const void* pointers[2 * count];
  size_t sizes[2 * count];
  char packed[2 * count * 32];
  uint64_t offsets[2 * count + 1];
  uint64_t numbers[2 * count];
  uint8_t perhaps[2 * count];
} keys;

// The first half is inserted, the second is not.
static void make_keys(void) {
  for (unsigned i = 0; i < 2 * count; ++i) {
    keys.pointers[i] = keys.text[i];
    keys.sizes[i] = key_text(keys.text[i], i);
    memcpy(keys.packed + keys.offsets[i], keys.text[i], keys.sizes[i]);
    keys.offsets[i + 1] = keys.offsets[i] + keys.sizes[i];
    keys.numbers[i] = 1000003ull * i;
  }
}

// All of the first half; of the second, some.  Returns how many of those.
static unsigned check_answers(void) {
  unsigned wrong = 0, missing = 0;
  for (unsigned i = 0; i < 2 * count; ++i) {
    CHECK(keys.perhaps[i] <= 1);
    if (i < count)
      missing += !keys.perhaps[i];
    else
      wrong += keys.perhaps[i];
  }
  CHECK(missing == 0);
  CHECK(wrong < 50);  // 10 expected; 13 standard deviations
  memset(keys.perhaps, 0xaa, sizeof keys.perhaps);
  return wrong;
}

static void test_ways_in(uint32_t kind) {
  bloomery_filter *one = filter_of(kind, count), *batch = filter_of(kind, count),
                  *packed = filter_of(kind, count), *hashed = filter_of(kind, count),
                  *by_threads = filter_of(kind, count);
  uint64_t hashes[2 * count];
  for (unsigned i = 0; i < count; ++i)
    CHECK_OK(bloomery_filter_insert(one, keys.pointers[i], keys.sizes[i]));
  CHECK_OK(bloomery_filter_insert_batch(batch, keys.pointers, keys.sizes, count));
  CHECK_OK(bloomery_filter_insert_packed(packed, keys.packed, keys.offsets, count));
  for (unsigned i = 0; i < 2 * count; ++i)
    CHECK_OK(bloomery_filter_hash(one, keys.pointers[i], keys.sizes[i], &hashes[i]));
  CHECK_OK(bloomery_filter_insert_hash_batch(hashed, hashes, count));
  CHECK_OK(bloomery_filter_insert_hash_batch_by(by_threads, hashes, count, 3));
  CHECK(bloomery_filter_equal(one, batch) == 1);
  CHECK(bloomery_filter_equal(one, packed) == 1);
  CHECK(bloomery_filter_equal(one, hashed) == 1);
  CHECK(bloomery_filter_equal(one, by_threads) == 1);

  CHECK_OK(bloomery_filter_may_contain_batch(one, keys.pointers, keys.sizes, 2 * count,
                                             keys.perhaps));
  const unsigned wrong = check_answers();
  CHECK_OK(bloomery_filter_may_contain_packed(one, keys.packed, keys.offsets, 2 * count,
                                              keys.perhaps));
  CHECK(check_answers() == wrong);
  CHECK_OK(bloomery_filter_may_contain_hash_batch(one, hashes, 2 * count, keys.perhaps));
  CHECK(check_answers() == wrong);
  for (unsigned i = 0; i < 2 * count; ++i) {
    const int answer = bloomery_filter_may_contain(one, keys.pointers[i], keys.sizes[i]);
    CHECK(answer == bloomery_filter_may_contain_hash(one, hashes[i]));
    keys.perhaps[i] = (uint8_t)answer;
  }
  CHECK(check_answers() == wrong);

  // Integers are other keys, and other filters'.
  CHECK_STATUS(bloomery_filter_insert_u64(one, 1), BLOOMERY_INCOMPATIBLE);
  bloomery_filter_free(one);
  bloomery_filter_free(batch);
  one = filter_of_source(kind, count, BLOOMERY_SOURCE_INTEGERS);
  batch = filter_of_source(kind, count, BLOOMERY_SOURCE_INTEGERS);
  CHECK_STATUS(bloomery_filter_insert(one, "a", 1), BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_filter_insert_u64_batch(one, keys.numbers, count));
  for (unsigned i = 0; i < count; ++i) {
    uint64_t hash;
    CHECK_OK(bloomery_filter_hash_u64(batch, keys.numbers[i], &hash));
    CHECK_OK(i % 2 == 0 ? bloomery_filter_insert_u64(batch, keys.numbers[i])
                        : bloomery_filter_insert_hash(batch, hash));
  }
  CHECK(bloomery_filter_equal(one, batch) == 1);
  CHECK_OK(
      bloomery_filter_may_contain_u64_batch(one, keys.numbers, 2 * count, keys.perhaps));
  for (unsigned i = 0; i < 2 * count; ++i)
    CHECK(keys.perhaps[i] == bloomery_filter_may_contain_u64(one, keys.numbers[i]));
  check_answers();
  bloomery_filter_free(one);
  bloomery_filter_free(batch);
  bloomery_filter_free(packed);
  bloomery_filter_free(hashed);
  bloomery_filter_free(by_threads);
}

// A batch that is refused has inserted nothing.
static void test_refused_batches(void) {
  bloomery_filter* filter = filter_of(BLOOMERY_KIND_BLOCK, 100);
  bloomery_filter* empty = filter_of(BLOOMERY_KIND_BLOCK, 100);
  const void* pointers[3] = {"a", NULL, "c"};
  const size_t sizes[3] = {1, 1, 1}, with_empty[3] = {1, 0, 1};
  const uint64_t falling[4] = {0, 2, 1, 3}, rising[4] = {0, 1, 1, 3};
  uint8_t perhaps[3] = {7, 7, 7};
  CHECK_INVALID(bloomery_filter_insert_batch(filter, pointers, sizes, 3));
  CHECK_INVALID(bloomery_filter_insert_packed(filter, "abc", falling, 3));
  CHECK_INVALID(bloomery_filter_insert_packed(filter, NULL, rising, 3));
  CHECK_INVALID(bloomery_filter_insert_packed(filter, "abc", NULL, 3));
  CHECK_INVALID(bloomery_filter_insert_hash_batch_by(filter, rising, 3, 0));
  CHECK(bloomery_filter_equal(filter, empty) == 1);
  CHECK_INVALID(bloomery_filter_may_contain_batch(filter, pointers, sizes, 3, perhaps));
  CHECK(perhaps[0] == 7);

  // The empty key is a key, and no keys are no keys.
  CHECK_OK(bloomery_filter_insert_batch(filter, pointers, with_empty, 3));
  CHECK(bloomery_filter_may_contain(filter, NULL, 0) == 1);
  CHECK(bloomery_filter_may_contain(filter, "", 0) == 1);
  CHECK_OK(bloomery_filter_insert_packed(empty, "abc", rising, 3));
  CHECK(bloomery_filter_may_contain(empty, "bc", 2) == 1);
  CHECK(bloomery_filter_may_contain(empty, NULL, 0) == 1);
  CHECK_OK(bloomery_filter_insert_batch(filter, NULL, NULL, 0));
  CHECK_OK(bloomery_filter_insert_packed(filter, NULL, NULL, 0));
  CHECK_OK(bloomery_filter_insert_hash_batch(filter, NULL, 0));
  CHECK_STATUS(bloomery_filter_insert_u64_batch(filter, NULL, 0), BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_filter_may_contain_hash_batch(filter, NULL, 0, NULL));
  bloomery_filter_free(filter);
  bloomery_filter_free(empty);
}

void test_keys(void) {
  make_keys();
  for (size_t i = 0; i < bloomery_kind_count(); ++i)
    if (bloomery_kind_can(bloomery_kind_at(i), BLOOMERY_CAN_INSERT))
      test_ways_in(bloomery_kind_at(i));
  test_refused_batches();
}

static void test_merge(uint32_t kind) {
  bloomery_filter *a = filter_of(kind, 200), *b = filter_of(kind, 200), *both = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  insert_key(a, "alice", 5);
  insert_key(b, "bob", 3);
  CHECK_OK(bloomery_filter_copy(a, &both, &error));
  CHECK(bloomery_filter_equal(a, both) == 1);
  if (!erases(kind)) CHECK_OK(bloomery_filter_merge(both, both, &error));
  CHECK(bloomery_filter_equal(a, both) == 1);
  CHECK_OK(bloomery_filter_merge(both, b, &error));
  CHECK(bloomery_filter_may_contain(both, "alice", 5) == 1);
  CHECK(bloomery_filter_may_contain(both, "bob", 3) == 1);
  CHECK(bloomery_filter_may_contain(a, "bob", 3) == 0);
  CHECK(bloomery_filter_equal(a, both) == 0);
  const bloomery_status met = bloomery_filter_intersect(both, a, &error);
  if (bloomery_kind_can(kind, BLOOMERY_CAN_INTERSECT)) {
    CHECK_OK(met);
    CHECK(bloomery_filter_equal(a, both) == 1);
  } else {
    CHECK_STATUS(met, BLOOMERY_UNSUPPORTED);
    CHECK(error.code == BLOOMERY_UNSUPPORTED && strlen(error.message) > 0);
  }

  bloomery_filter* other_size = filter_of(kind, 20);
  bloomery_filter* other_kind = filter_of(
      kind == bloomery_kind_at(0) ? bloomery_kind_at(1) : bloomery_kind_at(0), 200);
  CHECK_STATUS(bloomery_filter_merge(a, other_size, &error), BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(bloomery_filter_merge(a, other_kind, &error), BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(bloomery_filter_intersect(a, other_kind, &error), BLOOMERY_INCOMPATIBLE);
  CHECK(bloomery_filter_equal(a, other_kind) == 0);
  bloomery_filter_free(other_size);
  bloomery_filter_free(other_kind);
  bloomery_filter_free(a);
  bloomery_filter_free(b);
  bloomery_filter_free(both);
}

static void test_fold(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter *large = NULL, *small = NULL;
  bloomery_info info = BLOOMERY_INFO_INIT;
  uint64_t divisor = 0;
  options.profile = BLOOMERY_PROFILE_LINE;
  options.size_by = BLOOMERY_SIZE_EXACT;
  options.blocks = 96;
  CHECK_OK(bloomery_filter_make(&options, &large, NULL));
  options.blocks = 32;
  CHECK_OK(bloomery_filter_make(&options, &small, NULL));
  insert_keys(large, 50);
  insert_keys(small, 50);
  CHECK_INVALID(bloomery_filter_fold(large, 7, NULL));
  CHECK_OK(bloomery_filter_fold(large, 3, NULL));
  CHECK(bloomery_filter_equal(large, small) == 1);
  CHECK_INVALID(bloomery_filter_fold_to_rate(large, 0, NULL, NULL));
  CHECK_OK(bloomery_filter_fold_to_rate(large, 0.01, &divisor, NULL));
  CHECK(divisor > 1 && 32 % divisor == 0);
  CHECK_OK(bloomery_filter_info(large, BLOOMERY_INFO_ALL, &info));
  CHECK(info.blocks == 32 / divisor && info.realised_fpr <= 0.01);

  // Two sizes meet at their greatest common divisor.
  bloomery_filter* odd = NULL;
  options.blocks = 48;
  CHECK_OK(bloomery_filter_make(&options, &odd, NULL));
  CHECK_STATUS(bloomery_filter_merge(odd, small, NULL), BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_filter_fold_and_merge(odd, small, NULL));
  CHECK_OK(bloomery_filter_info(odd, BLOOMERY_INFO_LAYOUT, &info));
  CHECK(info.blocks == 16);
  CHECK(bloomery_filter_may_contain(odd, "k7", 2) == 1);
  bloomery_filter_free(odd);
  bloomery_filter_free(large);
  bloomery_filter_free(small);

  bloomery_filter* portable = filter_of(BLOOMERY_KIND_PORTABLE, 10);
  CHECK_STATUS(bloomery_filter_fold(portable, 2, NULL), BLOOMERY_UNSUPPORTED);
  CHECK_STATUS(bloomery_filter_fold_to_rate(portable, 0.1, NULL, NULL),
               BLOOMERY_UNSUPPORTED);
  bloomery_filter_free(portable);
}

void test_whole(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i)
    if (bloomery_kind_can(bloomery_kind_at(i), BLOOMERY_CAN_MERGE))
      test_merge(bloomery_kind_at(i));
  test_fold();
}

void test_info(void) {
  for (size_t nth = 0; nth < bloomery_kind_count(); ++nth) {
    const uint32_t kind = bloomery_kind_at(nth);
    if (!grows(kind)) continue;
    bloomery_filter* filter = filter_of(kind, count);
    bloomery_info info = BLOOMERY_INFO_INIT;
    insert_keys(filter, count);
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info));
    CHECK(info.kind == kind && info.capacity == count && info.parts == 0);
    CHECK(isnan(info.fill) && isnan(info.realised_fpr) && info.ones == 0);
    CHECK(info.container == 0 && info.damaged_chunks == 0 && info.seed == 0);
    const char* units = bloomery_kind_units(kind);
    CHECK((info.blocks != 0) ==
          (strcmp(units, "blocks") == 0 || strcmp(units, "lines") == 0));
    bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
    uint64_t check;
    hasher.id = info.hash_id;
    CHECK_OK(bloomery_hash_check(&hasher, &check));
    CHECK(info.hash_check == check);
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_ALL, &info));
    CHECK(info.parts == BLOOMERY_INFO_ALL && info.padding_is_clear == 1);
    CHECK(fabs(info.estimated_keys - count) < 0.05 * count);
    if (!erases(kind) && strcmp(units, "cells") != 0)
      CHECK(info.fill == (double)info.ones / (double)info.bits);
    CHECK(info.fill > 0 && info.fill <= 1);
    CHECK(info.realised_fpr > fmin(min_rate(kind), 0.004));
    CHECK(info.realised_fpr < 0.015);
    CHECK(info.realised_fpr == bloomery_filter_realised_fpr(filter));
    // When full: of all levels and generations.
    if (forgets(kind) || kind == BLOOMERY_KIND_SCALABLE)
      CHECK(info.expected_fpr > bloomery_filter_expected_fpr(filter, count));
    else
      CHECK(info.expected_fpr == bloomery_filter_expected_fpr(filter, count));

    // The bits themselves add up.
    size_t size = 0;
    uint64_t ones = 0;
    const unsigned char* bits = bloomery_filter_bits(filter, &size);
    CHECK(bits != NULL && size == info.size_in_bytes);
    for (size_t i = 0; i < 8 * size; ++i) ones += bits[i / 8] >> (i % 8) & 1;
    if (!erases(kind)) CHECK(ones == info.ones);
    CHECK_OK(bloomery_filter_clear(filter));
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_ALL, &info));
    CHECK(info.ones == 0 && info.realised_fpr == 0);
    bloomery_filter_free(filter);
  }
}
