// Many threads, one filter; and readers of one that nobody changes.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "check.h"

enum { threads = 4, each = 5000 };

struct job {
  bloomery_concurrent* filter;
  unsigned number;
  unsigned first;    // keys this thread was the first to insert
  unsigned missing;  // own keys not found afterwards
};

// Each thread inserts its own keys in one of three ways, and one that all of them want.
static void* insert_and_ask(void* argument) {
  struct job* job = argument;
  uint64_t numbers[each];
  uint8_t perhaps[each];
  for (unsigned i = 0; i < each; ++i) numbers[i] = (uint64_t)job->number * each + i;
  for (unsigned i = 0; i < each / 2; ++i)
    bloomery_concurrent_insert_u64(job->filter, numbers[i]);
  bloomery_concurrent_insert_u64_batch(job->filter, numbers + each / 2, each - each / 2);
  for (unsigned i = 0; i < 100; ++i)
    job->first +=
        bloomery_concurrent_insert_u64_if_absent(job->filter, 1u << 30 | i) == 1;
  bloomery_concurrent_may_contain_u64_batch(job->filter, numbers, each, perhaps);
  for (unsigned i = 0; i < each; ++i)
    job->missing +=
        !perhaps[i] || bloomery_concurrent_may_contain_u64(job->filter, numbers[i]) != 1;
  return NULL;
}

static void test_threads(uint32_t kind, uint32_t policy) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_concurrent* filter = NULL;
  bloomery_filter *snapshot = NULL, *alone = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  pthread_t crew[threads];
  struct job jobs[threads];
  unsigned first = 0;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_read_options integers = BLOOMERY_READ_OPTIONS_INIT;
  hasher.source = integers.source = BLOOMERY_SOURCE_INTEGERS;
  options.hasher = &hasher;
  options.kind = kind;
  options.keys = threads * each + 100;
  options.fpr = 0.0001;
  // The Bloom kinds can be shared, and of the others some.
  const bloomery_status made =
      bloomery_concurrent_make(&options, policy, &filter, &error);
  const int is_bloom = kind <= BLOOMERY_KIND_PARTITIONED;
  if (!is_bloom && made == BLOOMERY_UNSUPPORTED) return;
  CHECK_OK(made);
  for (unsigned i = 0; i < threads; ++i) {
    jobs[i] = (struct job){filter, i, 0, 0};
    CHECK(pthread_create(&crew[i], NULL, insert_and_ask, &jobs[i]) == 0);
  }
  for (unsigned i = 0; i < threads; ++i) {
    CHECK(pthread_join(crew[i], NULL) == 0);
    CHECK(jobs[i].missing == 0);
    first += jobs[i].first;
  }
  CHECK(first <= 100 && first > 90);  // of 100 keys, less the false positives

  // The bits are those of a plain filter with the same keys.
  CHECK_OK(bloomery_filter_make(&options, &alone, &error));
  for (uint64_t i = 0; i < threads * each; ++i)
    CHECK_OK(bloomery_filter_insert_u64(alone, i));
  for (unsigned i = 0; i < 100; ++i)
    CHECK_OK(bloomery_filter_insert_u64(alone, 1u << 30 | i));
  CHECK_OK(bloomery_concurrent_snapshot(filter, &snapshot, &error));
  CHECK(bloomery_filter_equal(alone, snapshot) == 1);
  bloomery_info info = BLOOMERY_INFO_INIT, own = BLOOMERY_INFO_INIT;
  CHECK_OK(bloomery_concurrent_info(filter, BLOOMERY_INFO_ALL, &info));
  CHECK_OK(bloomery_filter_info(alone, BLOOMERY_INFO_ALL, &own));
  CHECK(info.kind == kind && info.ones == own.ones &&
        info.realised_fpr == own.realised_fpr);
  bloomery_filter_free(snapshot);

  const char* path = file_named("snapshot.bloom");
  CHECK_OK(bloomery_concurrent_save(filter, NULL, path, &error));
  CHECK_OK(
      bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, &integers, &snapshot, &error));
  CHECK(bloomery_filter_equal(alone, snapshot) == 1);
  CHECK_OK(bloomery_concurrent_clear(filter));
  CHECK(bloomery_concurrent_may_contain_u64(filter, 1) == 0);
  CHECK_OK(bloomery_concurrent_merge(filter, alone, &error));
  CHECK(bloomery_concurrent_may_contain_u64(filter, 1) == 1);
  bloomery_filter_free(snapshot);
  bloomery_filter_free(alone);
  bloomery_concurrent_free(filter);
}

static void test_single_calls(void) {
  bloomery_filter *plain = filter_of(BLOOMERY_KIND_BLOOM, 100), *expected = NULL;
  bloomery_concurrent* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  const void* keys[2] = {"x", "yy"};
  const size_t sizes[2] = {1, 2};
  const uint64_t offsets[3] = {0, 1, 3};
  uint64_t hash;
  uint8_t perhaps[2];
  CHECK_OK(bloomery_filter_insert(plain, "before", 6));
  CHECK_STATUS(bloomery_concurrent_adopt(&plain, BLOOMERY_POLICY_LOCKED, &filter, &error),
               BLOOMERY_UNSUPPORTED);
  CHECK(plain != NULL && filter == NULL);
  CHECK_STATUS(bloomery_concurrent_adopt(&plain, 9, &filter, &error),
               BLOOMERY_UNSUPPORTED);
  CHECK_OK(bloomery_concurrent_adopt(&plain, BLOOMERY_POLICY_WAIT_FREE, &filter, &error));
  CHECK(plain == NULL);
  CHECK(bloomery_concurrent_may_contain(filter, "before", 6) == 1);
  CHECK(bloomery_concurrent_may_contain(filter, "after", 5) == 0);
  CHECK_OK(bloomery_concurrent_insert(filter, "after", 5));
  CHECK(bloomery_concurrent_insert_if_absent(filter, "after", 5) == 0);
  CHECK(bloomery_concurrent_insert_if_absent(filter, "later", 5) == 1);
  CHECK_OK(bloomery_concurrent_hash(filter, "hashed", 6, &hash));
  CHECK(bloomery_concurrent_insert_hash_if_absent(filter, hash) == 1);
  CHECK(bloomery_concurrent_may_contain(filter, "hashed", 6) == 1);
  CHECK(bloomery_concurrent_may_contain_hash(filter, hash) == 1);
  CHECK_OK(bloomery_concurrent_hash(filter, "once more", 9, &hash));
  CHECK_OK(bloomery_concurrent_insert_hash(filter, hash));
  CHECK(bloomery_concurrent_may_contain(filter, "once more", 9) == 1);
  CHECK_STATUS(bloomery_concurrent_hash_u64(filter, 5, &hash), BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(bloomery_concurrent_insert_u64(filter, 5), BLOOMERY_INCOMPATIBLE);
  CHECK(bloomery_concurrent_may_contain_u64(filter, 5) == -BLOOMERY_INCOMPATIBLE);
  CHECK(bloomery_concurrent_insert_u64_if_absent(filter, 5) == -BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_concurrent_insert_batch(filter, keys, sizes, 1));
  CHECK_OK(bloomery_concurrent_insert_packed(filter, "xyy", offsets, 2));
  CHECK_OK(bloomery_concurrent_insert_hash_batch(filter, &hash, 1));
  CHECK_OK(bloomery_concurrent_may_contain_batch(filter, keys, sizes, 2, perhaps));
  CHECK(perhaps[0] == 1 && perhaps[1] == 1);
  CHECK_OK(bloomery_concurrent_may_contain_packed(filter, "xzz", offsets, 2, perhaps));
  CHECK(perhaps[0] == 1 && perhaps[1] == 0);
  CHECK_OK(bloomery_concurrent_may_contain_hash_batch(filter, &hash, 1, perhaps));
  CHECK(perhaps[0] == 1);

  bloomery_filter* other = filter_of(BLOOMERY_KIND_PORTABLE, 100);
  CHECK_STATUS(bloomery_concurrent_merge(filter, other, &error), BLOOMERY_INCOMPATIBLE);
  bloomery_filter_free(other);
  CHECK_OK(bloomery_concurrent_snapshot(filter, &expected, &error));
  CHECK(bloomery_filter_may_contain(expected, "yy", 2) == 1);
  bloomery_filter_free(expected);
  bloomery_concurrent_free(filter);
}

static void* ask(void* argument) {
  const bloomery_filter* filter = argument;
  char key[32];
  size_t missing = 0;
  for (unsigned i = 0; i < each; ++i)
    missing += bloomery_filter_may_contain(filter, key, key_text(key, i)) != 1;
  return (void*)missing;
}

// Reading calls run together on a plain filter.
static void test_readers(void) {
  bloomery_filter* filter = filter_of(BLOOMERY_KIND_PORTABLE, each);
  pthread_t crew[threads];
  insert_keys(filter, each);
  for (unsigned i = 0; i < threads; ++i)
    CHECK(pthread_create(&crew[i], NULL, ask, filter) == 0);
  for (unsigned i = 0; i < threads; ++i) {
    void* missing = filter;
    CHECK(pthread_join(crew[i], &missing) == 0);
    CHECK(missing == NULL);
  }
  bloomery_filter_free(filter);
}

void test_concurrent(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i)
    if (grows(bloomery_kind_at(i)))
      test_threads(bloomery_kind_at(i), BLOOMERY_POLICY_WAIT_FREE);
  test_threads(BLOOMERY_KIND_BLOCK, BLOOMERY_POLICY_LOCKED);
  test_threads(BLOOMERY_KIND_SPLIT_BLOCK, BLOOMERY_POLICY_LOCKED);
  test_single_calls();
  test_readers();
}
