// All keys first, then the filter that fits them.
#include "check.h"

enum { count = 3000 };

static bloomery_builder* builder_of(uint32_t kind, uint64_t keys) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_builder* builder = NULL;
  options.kind = kind;
  options.keys = keys;
  options.fpr = 0.01;
  CHECK_OK(bloomery_builder_make(&options, &builder, NULL));
  return builder;
}

static bloomery_filter* finished(bloomery_builder* builder, uint32_t threads) {
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  CHECK_OK(bloomery_builder_finish(builder, threads, &filter, &error));
  return filter;
}

static bloomery_container saved_facts(const bloomery_filter* filter,
                                      const bloomery_write_options* options) {
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  const char* path = file_named("built.bloom");
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, options, path, NULL));
  CHECK_OK(bloomery_container_inspect_file(path, &facts, NULL));
  return facts;
}

// Sized for the distinct keys, with the bits of a filter that was given them one by one.
static void test_kind(uint32_t kind) {
  bloomery_builder* builder = builder_of(kind, 0);
  char key[32];
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned i = 0; i < count; ++i)
      CHECK_OK(bloomery_builder_add(builder, key, key_text(key, i)));
  bloomery_filter* filter = finished(builder, 2);
  const unsigned noted = keeps_notes(kind) != 0;
  CHECK(bloomery_filter_built_keys(filter) == noted * count);
  // A builder gives them in its own order, which kinds that forget remember.
  if (bloomery_kind_can(kind, BLOOMERY_CAN_INSERT) && !forgets(kind)) {
    bloomery_filter* one_by_one = filter_of(kind, count);
    insert_keys(one_by_one, count);
    CHECK(bloomery_filter_equal(filter, one_by_one) == 1);
    bloomery_filter_free(one_by_one);
  }
  unsigned missing = 0;
  for (unsigned i = 0; i < count; ++i)
    missing += bloomery_filter_may_contain(filter, key, key_text(key, i)) != 1;
  // A stable filter forgets one in a hundred of the oldest, by chance.
  CHECK(missing <= (kind == BLOOMERY_KIND_STABLE ? count / 100 : 0));

  // A container says what the builder knew, and is accepted.
  bloomery_container facts = saved_facts(filter, NULL);
  CHECK(facts.keys == noted * count && facts.sentinels == noted * 8);
  CHECK(facts.asked_fpr == 0.01 && facts.capacity == count);
  bloomery_filter* again = NULL;
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, file_named("built.bloom"), NULL,
                                &again, NULL));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_filter_free(again);
  bloomery_write_options own = BLOOMERY_WRITE_OPTIONS_INIT;
  own.keys = 2999;  // the caller knows better
  if (noted) {
    facts = saved_facts(filter, &own);
    CHECK(facts.keys == 2999 && facts.sentinels == 8);
  } else {
    CHECK_INVALID(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, &own,
                                       file_named("built.bloom"), NULL));
  }

  // The builder is empty, and may be used again.
  CHECK_STATUS(bloomery_builder_add_u64(builder, 42), BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_builder_add(builder, "42", 2));
  bloomery_filter* single = finished(builder, 1);
  CHECK(bloomery_filter_built_keys(single) == noted);
  CHECK(bloomery_filter_may_contain(single, "42", 2) == 1);
  bloomery_filter_free(single);
  bloomery_builder_free(builder);
  bloomery_filter_free(filter);
}

// What is noted is true, or not written: every call that changes the keys ends it.
static void test_notes_end(void) {
  bloomery_builder* builder = builder_of(BLOOMERY_KIND_BLOCK, 100);
  bloomery_filter *other = filter_of(BLOOMERY_KIND_BLOCK, 100), *filter = NULL;
  const uint64_t number = 5;
  CHECK_OK(bloomery_filter_insert(other, "b", 1));
  for (unsigned how = 0; how < 9; ++how) {
    bloomery_info info = BLOOMERY_INFO_INIT;
    CHECK_OK(bloomery_builder_add(builder, "a", 1));
    filter = finished(builder, 1);
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info));
    CHECK(info.capacity == 100 && bloomery_filter_built_keys(filter) == 1);
    switch (how) {
      case 0:
        CHECK_OK(bloomery_filter_insert(filter, "b", 1));
        break;
      case 1:
        CHECK_OK(bloomery_filter_insert_hash(filter, 5));
        break;
      case 2:
        CHECK_OK(bloomery_filter_insert_hash_batch(filter, &number, 1));
        break;
      case 3:
        CHECK_OK(bloomery_filter_insert_hash_batch_by(filter, &number, 1, 2));
        break;
      case 4:
        CHECK(bloomery_filter_insert_if_absent(filter, "b", 1) == 1);
        break;
      case 5:
        CHECK_OK(bloomery_filter_merge(filter, other, NULL));
        break;
      case 6:
        CHECK_OK(bloomery_filter_intersect(filter, other, NULL));
        break;
      case 7:
        CHECK_OK(bloomery_filter_clear(filter));
        break;
      default:  // nothing changes: what is known stays
        CHECK(bloomery_filter_insert_if_absent(filter, "a", 1) == 0);
        CHECK_INVALID(bloomery_filter_insert(filter, NULL, 1));
        CHECK_STATUS(bloomery_filter_erase_present(filter, "a", 1, NULL),
                     BLOOMERY_UNSUPPORTED);
        CHECK_OK(bloomery_filter_fold(filter, 1, NULL));
    }
    const uint64_t known = how == 8 ? 1 : 0;
    CHECK(bloomery_filter_built_keys(filter) == known);
    const bloomery_container facts = saved_facts(filter, NULL);
    CHECK(facts.keys == known && facts.sentinels == known);
    CHECK((facts.asked_fpr == 0.01) == (how == 8));
    bloomery_filter_free(filter);
  }
  bloomery_filter_free(other);
  bloomery_builder_free(builder);
}

static void test_ways_to_add(void) {
  bloomery_builder* builder = builder_of(BLOOMERY_KIND_BLOCK, 0);
  const void* keys[3] = {"a", "b", NULL};
  const size_t sizes[3] = {1, 1, 0};
  const uint64_t offsets[4] = {0, 1, 2, 2};
  uint64_t hash = 0, many[1000];
  CHECK_OK(bloomery_builder_add_batch(builder, keys, sizes, 3));
  CHECK_OK(bloomery_builder_add_packed(builder, "ab", offsets, 3));  // the same again
  CHECK_OK(bloomery_hash_bytes(NULL, "c", 1, &hash));
  CHECK_OK(bloomery_builder_add_hash(builder, hash));
  CHECK_OK(bloomery_builder_add(builder, "c", 1));
  CHECK_OK(bloomery_builder_add_batch(builder, NULL, NULL, 0));
  CHECK_OK(bloomery_builder_add_hash_batch(builder, NULL, 0));
  bloomery_filter* filter = finished(builder, 1);
  CHECK(bloomery_filter_built_keys(filter) == 4);
  CHECK(bloomery_filter_may_contain(filter, NULL, 0) == 1);
  CHECK(bloomery_filter_may_contain(filter, "c", 1) == 1);
  bloomery_filter_free(filter);
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_builder* of_integers = NULL;
  hasher.source = BLOOMERY_SOURCE_INTEGERS;
  options.hasher = &hasher;
  options.fpr = 0.01;
  CHECK_OK(bloomery_builder_make(&options, &of_integers, NULL));
  for (unsigned i = 0; i < 1000; ++i) many[i] = i;  // more than a group
  CHECK_OK(bloomery_builder_add_u64_batch(of_integers, many, 1000));
  CHECK_OK(bloomery_builder_add_u64(of_integers, 7));
  CHECK_STATUS(bloomery_builder_add(of_integers, "7", 1), BLOOMERY_INCOMPATIBLE);
  filter = finished(of_integers, 1);
  CHECK(bloomery_filter_built_keys(filter) == 1000);
  CHECK(bloomery_filter_may_contain_u64(filter, 999) == 1);
  bloomery_filter_free(filter);
  bloomery_builder_free(of_integers);

  // No keys make an empty filter.
  filter = finished(builder, 1);
  CHECK(bloomery_filter_built_keys(filter) == 0);
  CHECK(bloomery_filter_may_contain(filter, "a", 1) == 0);
  CHECK(saved_facts(filter, NULL).sentinels == 0);
  bloomery_filter_free(filter);
  bloomery_builder_free(builder);
}

// Refused when it is made, where that can be known, and otherwise when it is finished.
static void test_refusals(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_builder* builder = NULL;
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  CHECK_INVALID(bloomery_builder_make(&options, &builder, &error));  // no rate
  options.fpr = 2;
  CHECK_INVALID(bloomery_builder_make(&options, &builder, &error));
  options.fpr = 0.01;
  options.kind = BLOOMERY_KIND_PACKED;
  CHECK_STATUS(bloomery_builder_make(&options, &builder, &error), BLOOMERY_UNSUPPORTED);
  CHECK(builder == NULL);
  options.kind = BLOOMERY_KIND_PORTABLE;
  options.fpr = 1e-9;
  CHECK_OK(bloomery_builder_make(&options, &builder, &error));
  for (uint64_t i = 0; i < 1000; ++i) CHECK_OK(bloomery_builder_add_hash(builder, i));
  CHECK_STATUS(bloomery_builder_finish(builder, 1, &filter, &error),
               BLOOMERY_UNATTAINABLE);
  CHECK(filter == NULL);
  bloomery_builder_free(builder);
}

static void count_call(void* context, uint64_t done, uint64_t all) {
  unsigned* const calls = context;
  if (done <= all) ++*calls;
}

// More keys than fit in the memory: the same file.
static void test_limits(uint32_t kind) {
  enum { many = 200000 };
  static uint64_t hashes[many];
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_build_limits limits = BLOOMERY_BUILD_LIMITS_INIT;
  bloomery_builder *limited = NULL, *plain = NULL;
  bloomery_filter* filters[2] = {NULL, NULL};
  bloomery_error error = BLOOMERY_ERROR_INIT;
  uint64_t counted = 0;
  unsigned calls = 0;
  options.kind = kind;
  if (kind == BLOOMERY_KIND_STABLE) {  // by rate it is larger than the memory
    options.size_by = BLOOMERY_SIZE_BY_BITS_PER_KEY;
    options.bits_per_key = 12;
  } else {
    options.fpr = 0.01;
  }
  limits.memory = 2 << 20;
  limits.directory = work_folder;
  limits.progress = count_call;
  limits.context = &calls;
  CHECK_OK(bloomery_builder_make(&options, &plain, &error));
  CHECK_OK(bloomery_builder_make_limited(&options, &limits, &limited, &error));
  for (uint64_t i = 0; i < many; ++i) hashes[i] = i * 0x9e3779b97f4a7c15u;
  for (int copy = 0; copy < 2; ++copy)
    CHECK_OK(bloomery_builder_add_hash_batch(limited, hashes, many));
  CHECK_OK(bloomery_builder_add_hash_batch(plain, hashes, many));
  CHECK_INVALID(bloomery_builder_count(limited, 0, &counted, &error));
  CHECK_INVALID(bloomery_builder_count(limited, 1, NULL, &error));
  CHECK_OK(bloomery_builder_count(limited, 2, &counted, &error));
  CHECK(counted == many);
  CHECK_OK(bloomery_builder_count(plain, 1, &counted, &error));
  CHECK(counted == many);
  CHECK_OK(bloomery_builder_finish(limited, 2, &filters[0], &error));
  CHECK_OK(bloomery_builder_finish(plain, 1, &filters[1], &error));
  CHECK(bloomery_filter_equal(filters[0], filters[1]) == 1);
  CHECK(bloomery_filter_built_keys(filters[0]) == bloomery_filter_built_keys(filters[1]));
  CHECK(calls > 0);
  for (int i = 0; i < 2; ++i) bloomery_filter_free(filters[i]);
  bloomery_builder_free(plain);
  bloomery_builder_free(limited);
}

static void test_limits_refused(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_build_limits limits = BLOOMERY_BUILD_LIMITS_INIT;
  bloomery_builder* builder = NULL;
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  options.fpr = 0.01;
  limits.directory = work_folder;
  CHECK_INVALID(bloomery_builder_make_limited(&options, &limits, &builder, &error));
  CHECK(error.possible == 1 << 20);
  limits.memory = 1 << 20;
  limits.flags = 1;
  CHECK_STATUS(bloomery_builder_make_limited(&options, &limits, &builder, &error),
               BLOOMERY_UNSUPPORTED);
  limits.flags = 0;
  limits.directory = "/nowhere/at/all";
  CHECK_STATUS(bloomery_builder_make_limited(&options, &limits, &builder, &error),
               BLOOMERY_IO);
  CHECK(builder == NULL);
  limits.directory = work_folder;
  options.keys = 10000000;  // a filter of 12 MB
  CHECK_OK(bloomery_builder_make_limited(&options, &limits, &builder, &error));
  CHECK_OK(bloomery_builder_add_hash(builder, 1));
  CHECK_STATUS(bloomery_builder_finish(builder, 1, &filter, &error), BLOOMERY_TOO_LARGE);
  CHECK(error.possible > 12e6);
  bloomery_builder_free(builder);
}

void test_builder(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i) test_limits(bloomery_kind_at(i));
  test_limits_refused();
  for (size_t i = 0; i < bloomery_kind_count(); ++i) test_kind(bloomery_kind_at(i));
  test_notes_end();
  test_ways_to_add();
  test_refusals();
}
