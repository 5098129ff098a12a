// Kinds by number and name, and the calls that only some of them have.
#include "check.h"

void test_kinds(void) {
  CHECK(bloomery_kind_count() >= 4);
  CHECK(bloomery_kind_at(0) == BLOOMERY_KIND_BLOCK);  // the default
  CHECK(bloomery_kind_at(bloomery_kind_count()) == 0);
  CHECK(strcmp(bloomery_kind_name(BLOOMERY_KIND_SPLIT_BLOCK), "split-block") == 0);
  CHECK(strcmp(bloomery_kind_name(BLOOMERY_KIND_PACKED), "packed") == 0);
  CHECK(strcmp(bloomery_kind_name(BLOOMERY_KIND_DEFAULT), "unknown") == 0);
  CHECK(strcmp(bloomery_kind_name(77), "unknown") == 0);
  CHECK(strcmp(bloomery_kind_name(256 + BLOOMERY_KIND_BLOCK), "unknown") == 0);
  CHECK(bloomery_kind_find("split-block") == BLOOMERY_KIND_SPLIT_BLOCK);
  CHECK(bloomery_kind_find("packed") == 0);  // no filter
  CHECK(bloomery_kind_find("") == 0);
  CHECK(bloomery_kind_find(NULL) == 0);
  CHECK(strcmp(bloomery_kind_units(BLOOMERY_KIND_BLOCK), "blocks") == 0);
  CHECK(strcmp(bloomery_kind_units(BLOOMERY_KIND_BLOOM), "bits") == 0);
  CHECK(strcmp(bloomery_kind_units(BLOOMERY_KIND_PACKED), "unknown") == 0);
  CHECK(strcmp(bloomery_kind_units(256 + BLOOMERY_KIND_BLOCK), "unknown") == 0);

  CHECK(bloomery_kind_can(BLOOMERY_KIND_BLOCK, BLOOMERY_CAN_FOLD) == 1);
  CHECK(bloomery_kind_can(BLOOMERY_KIND_BLOOM, BLOOMERY_CAN_FOLD) == 0);
  CHECK(bloomery_kind_can(BLOOMERY_KIND_BLOOM, BLOOMERY_CAN_ERASE) == 0);
  CHECK(bloomery_kind_can(BLOOMERY_KIND_PACKED, BLOOMERY_CAN_INSERT) == 0);
  CHECK(bloomery_kind_can(256 + BLOOMERY_KIND_BLOCK, BLOOMERY_CAN_INSERT) == 0);
  CHECK(bloomery_kind_can(BLOOMERY_KIND_BLOCK, BLOOMERY_CAN_PUBLISH + 1) == 0);
  CHECK(bloomery_kind_can(BLOOMERY_KIND_BLOCK, 0xffffffff) == 0);
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    const uint32_t kind = bloomery_kind_at(i);
    CHECK(strcmp(bloomery_kind_name(kind), "unknown") != 0);
    CHECK(bloomery_kind_find(bloomery_kind_name(kind)) == kind);
    CHECK(strcmp(bloomery_kind_units(kind), "unknown") != 0);
    for (size_t j = 0; j < i; ++j) CHECK(bloomery_kind_at(j) != kind);
  }
}

// The message names the kind that was asked.
static void check_refused(bloomery_status status, const bloomery_error* error,
                          uint32_t kind) {
  CHECK_STATUS(status, BLOOMERY_UNSUPPORTED);
  CHECK(error->code == BLOOMERY_UNSUPPORTED);
  CHECK(strstr(error->message, bloomery_kind_name(kind)) != NULL);
}

static void never(void* context, uint64_t fingerprint, uint64_t copies) {
  (void)context;
  (void)fingerprint;
  (void)copies;
  CHECK(0);
}

// Calls that the kind lacks: refused by every way in, and nothing has changed.
static void test_lacking(uint32_t kind) {
  bloomery_filter *filter = filter_of(kind, 100), *before = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  const void* keys[2] = {"new", "newer"};
  const size_t sizes[2] = {3, 5};
  const uint64_t offsets[3] = {0, 3, 8};
  bloomery_filter* numbers = filter_of_source(kind, 100, BLOOMERY_SOURCE_INTEGERS);
  uint64_t copies = 7;
  size_t inserted = 7;
  insert_keys(filter, 10);
  CHECK_OK(bloomery_filter_copy(filter, &before, NULL));
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_TRY_INSERT)) {
    check_refused(bloomery_filter_try_insert(filter, "new", 3, &error), &error, kind);
    check_refused(bloomery_filter_try_insert_u64(numbers, 1, &error), &error, kind);
    check_refused(bloomery_filter_try_insert_hash(filter, 1, &error), &error, kind);
    check_refused(
        bloomery_filter_try_insert_batch(filter, keys, sizes, 2, &inserted, &error),
        &error, kind);
    CHECK(inserted == 0);
    check_refused(
        bloomery_filter_try_insert_packed(filter, "newnewer", offsets, 2, NULL, &error),
        &error, kind);
    check_refused(
        bloomery_filter_try_insert_u64_batch(numbers, offsets, 2, &inserted, &error),
        &error, kind);
    check_refused(
        bloomery_filter_try_insert_hash_batch(filter, NULL, 0, &inserted, &error), &error,
        kind);
  }
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_ERASE)) {
    bloomery_receipt receipt = {{7}};
    uint8_t erased[2] = {7, 7};
    check_refused(bloomery_filter_erase_present(filter, "k1", 2, &error), &error, kind);
    check_refused(bloomery_filter_erase_present_u64(numbers, 1, &error), &error, kind);
    check_refused(bloomery_filter_erase_present_hash(filter, 1, &error), &error, kind);
    check_refused(bloomery_filter_erase_present_batch(filter, keys, sizes, 2, erased,
                                                      &inserted, &error),
                  &error, kind);
    CHECK(inserted == 0 && erased[0] == 0 && erased[1] == 0);
    check_refused(bloomery_filter_erase_present_packed(filter, "newnewer", offsets, 2,
                                                       NULL, NULL, &error),
                  &error, kind);
    check_refused(bloomery_filter_erase_present_u64_batch(numbers, offsets, 2, erased,
                                                          &inserted, &error),
                  &error, kind);
    check_refused(bloomery_filter_erase_present_hash_batch(filter, NULL, 0, NULL,
                                                           &inserted, &error),
                  &error, kind);
    check_refused(bloomery_filter_erase_receipt(filter, &receipt, &error), &error, kind);
    CHECK(receipt.bytes[0] == 7);
    check_refused(bloomery_filter_try_insert_receipt(filter, "new", 3, &receipt, &error),
                  &error, kind);
    CHECK(receipt.bytes[0] == 0);
    check_refused(bloomery_filter_try_insert_u64_receipt(numbers, 1, &receipt, &error),
                  &error, kind);
    check_refused(bloomery_filter_try_insert_hash_receipt(filter, 1, &receipt, &error),
                  &error, kind);
    bloomery_options options = BLOOMERY_OPTIONS_INIT;
    bloomery_filter* made = NULL;
    options.kind = kind;
    options.keys = 100;
    options.fpr = 0.01;
    options.identity = 1;
    CHECK_STATUS(bloomery_filter_make(&options, &made, &error), BLOOMERY_UNSUPPORTED);
  }
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_COUNT)) {
    check_refused(bloomery_filter_count(filter, "k1", 2, &copies, &error), &error, kind);
    check_refused(bloomery_filter_count_u64(numbers, 1, &copies, &error), &error, kind);
    check_refused(bloomery_filter_count_hash(filter, 1, &copies, &error), &error, kind);
    CHECK(copies == 7);
  }
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_ITERATE))
    check_refused(bloomery_filter_for_each(filter, never, NULL, &error), &error, kind);
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_FOLD)) {
    check_refused(bloomery_filter_fold(filter, 1, &error), &error, kind);
    CHECK(strstr(error.message, "block, split-block") != NULL);  // those that have it
    check_refused(bloomery_filter_fold_to_rate(filter, 0.1, NULL, &error), &error, kind);
    check_refused(bloomery_filter_fold_and_merge(filter, before, &error), &error, kind);
  }
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_GROW))
    check_refused(bloomery_filter_grow(filter, &error), &error, kind);
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_ROTATE))
    check_refused(bloomery_filter_rotate(filter, &error), &error, kind);
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_FORGETTING)) {
    double share = 7;
    check_refused(bloomery_filter_forgetting(filter, 1, &share, &error), &error, kind);
    CHECK(share == 7);
  }
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_PUBLISH)) {
    bloomery_filter* bits = NULL;
    check_refused(bloomery_filter_publish(filter, &bits, &error), &error, kind);
    CHECK(bits == NULL);
  }
  CHECK(bloomery_filter_equal(filter, before) == 1);
  bloomery_filter_free(filter);
  bloomery_filter_free(before);
  bloomery_filter_free(numbers);
}

// Calls of a few kinds: what they change, and what they leave.
static void test_having(uint32_t kind) {
  bloomery_filter* filter = filter_of(kind, 100);
  insert_keys(filter, 10);
  if (bloomery_kind_can(kind, BLOOMERY_CAN_GROW)) {
    size_t before = 0, after = 0;
    (void)bloomery_filter_bits(filter, &before);
    CHECK_OK(bloomery_filter_grow(filter, NULL));
    (void)bloomery_filter_bits(filter, &after);
    CHECK(after > before && bloomery_filter_may_contain(filter, "k1", 2) == 1);
  }
  if (bloomery_kind_can(kind, BLOOMERY_CAN_FORGETTING)) {
    double soon = -1, late = -1;
    CHECK_OK(bloomery_filter_forgetting(filter, 1, &soon, NULL));
    CHECK_OK(bloomery_filter_forgetting(filter, 100000, &late, NULL));
    CHECK(soon >= 0 && soon < late && late <= 1);
    CHECK_STATUS(bloomery_filter_forgetting(filter, 1, NULL, NULL),
                 BLOOMERY_INVALID_ARGUMENT);
  }
  if (bloomery_kind_can(kind, BLOOMERY_CAN_PUBLISH)) {
    bloomery_filter* bits = NULL;
    CHECK_OK(bloomery_filter_publish(filter, &bits, NULL));
    CHECK(bloomery_filter_may_contain(bits, "k1", 2) == 1);
    CHECK(bloomery_filter_equal(bits, filter) == 0);
    bloomery_filter_free(bits);
  }
  if (bloomery_kind_can(kind, BLOOMERY_CAN_ROTATE)) {
    CHECK_OK(bloomery_filter_rotate(filter, NULL));
    CHECK(bloomery_filter_may_contain(filter, "k1", 2) == 1);
    for (int i = 0; i < 1024; ++i) CHECK_OK(bloomery_filter_rotate(filter, NULL));
    CHECK(bloomery_filter_may_contain(filter, "k1", 2) == 0);
  }
  bloomery_filter_free(filter);
}

static void test_if_absent(uint32_t kind) {
  bloomery_filter *filter = filter_of(kind, 100), *other = filter_of(kind, 100);
  uint64_t hash = 0;
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_INSERT_IF_ABSENT)) {
    CHECK(bloomery_filter_insert_if_absent(filter, "a", 1) == -BLOOMERY_UNSUPPORTED);
    CHECK(bloomery_filter_equal(filter, other) == 1);
  } else {
    CHECK(bloomery_filter_insert_if_absent(filter, "a", 1) == 1);
    CHECK(bloomery_filter_insert_if_absent(filter, "a", 1) == 0);
    CHECK(bloomery_filter_insert_u64_if_absent(filter, 5) == -BLOOMERY_INCOMPATIBLE);
    CHECK_OK(bloomery_filter_hash(filter, "b", 1, &hash));
    CHECK(bloomery_filter_insert_hash_if_absent(filter, hash) == 1);
    CHECK(bloomery_filter_insert_if_absent(filter, "b", 1) == 0);

    // The same bits as by insert, of the second copies too if it remembers them anew.
    for (int copies = forgets(kind) ? 2 : 1; copies-- > 0;)
      CHECK_OK(bloomery_filter_insert(other, "a", 1));
    for (int copies = forgets(kind) ? 2 : 1; copies-- > 0;)
      CHECK_OK(bloomery_filter_insert(other, "b", 1));
    CHECK(bloomery_filter_equal(filter, other) == 1);
  }
  bloomery_filter_free(filter);
  bloomery_filter_free(other);
}

void test_calls(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    if (!grows(bloomery_kind_at(i))) continue;
    test_lacking(bloomery_kind_at(i));
    test_having(bloomery_kind_at(i));
    test_if_absent(bloomery_kind_at(i));
  }
}
