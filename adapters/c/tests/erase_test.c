// Keys that are deleted, in kinds that can: by receipt and by key.
#include "check.h"

enum { count = 500 };

static bloomery_filter* filter_with_identity(uint32_t kind, uint64_t identity) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter* filter = NULL;
  options.kind = kind;
  options.keys = count;
  options.fpr = 0.001;
  options.identity = identity;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  return filter;
}

static bloomery_filter* copy_of(const bloomery_filter* filter) {
  bloomery_filter* copy = NULL;
  CHECK_OK(bloomery_filter_copy(filter, &copy, NULL));
  return copy;
}

static int is_zero(const bloomery_receipt* receipt) {
  const bloomery_receipt none = BLOOMERY_RECEIPT_INIT;
  return memcmp(receipt, &none, sizeof none) == 0;
}

// A refused call has changed neither the filter nor the receipt.
static void check_refused(bloomery_filter* filter, const bloomery_receipt* receipt,
                          bloomery_status why) {
  bloomery_filter* before = copy_of(filter);
  bloomery_receipt used = *receipt;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  CHECK_STATUS(bloomery_filter_erase_receipt(filter, &used, &error), why);
  CHECK(error.code == (uint32_t)why && strlen(error.message) > 0);
  CHECK(memcmp(&used, receipt, sizeof used) == 0);
  CHECK(bloomery_filter_equal(filter, before) == 1);
  bloomery_filter_free(before);
}

static void test_receipts_of(uint32_t kind) {
  static bloomery_receipt receipts[count];
  bloomery_filter *filter = filter_with_identity(kind, 7),
                  *other = filter_with_identity(kind, 8), *empty = copy_of(filter);
  bloomery_receipt damaged, none = BLOOMERY_RECEIPT_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  char key[32];
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_ALL, &info));
  CHECK(info.identity == 7 && info.stuck_cells == 0);
  for (unsigned i = 0; i < count; ++i) {
    CHECK_OK(bloomery_filter_try_insert_receipt(filter, key, key_text(key, i),
                                                &receipts[i], &error));
    CHECK(!is_zero(&receipts[i]));
  }
  // The hash is in it, and no other key's.
  uint64_t hash, stored = 0;
  CHECK_OK(bloomery_filter_hash(filter, key, key_text(key, 3), &hash));
  for (unsigned i = 0; i < 8; ++i) stored |= (uint64_t)receipts[3].bytes[i] << 8 * i;
  CHECK(stored == hash);

  check_refused(filter, &none, BLOOMERY_INCOMPATIBLE);
  check_refused(other, &receipts[0], BLOOMERY_INCOMPATIBLE);
  for (unsigned bit = 0; bit < 8 * sizeof damaged.bytes; ++bit) {
    damaged = receipts[0];
    damaged.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    check_refused(filter, &damaged, BLOOMERY_INCOMPATIBLE);
  }
  for (unsigned i = 0; i < count; ++i) {
    CHECK(bloomery_filter_may_contain(filter, key, key_text(key, i)) == 1);
    damaged = receipts[i];
    CHECK_OK(bloomery_filter_erase_receipt(filter, &receipts[i], &error));
    CHECK(is_zero(&receipts[i]));
    check_refused(filter, &receipts[i], BLOOMERY_INCOMPATIBLE);
  }
  CHECK(bloomery_filter_equal(filter, empty) == 1);
  check_refused(filter, &damaged, BLOOMERY_NOT_PRESENT);  // used twice, and it is empty

  CHECK_OK(bloomery_filter_hash(filter, "a", 1, &hash));
  CHECK_OK(bloomery_filter_try_insert_hash_receipt(filter, hash, &receipts[0], &error));
  CHECK_STATUS(bloomery_filter_try_insert_u64_receipt(filter, 1, &receipts[1], &error),
               BLOOMERY_INCOMPATIBLE);
  CHECK(is_zero(&receipts[1]));
  CHECK_OK(bloomery_filter_erase_receipt(filter, &receipts[0], NULL));
  bloomery_filter_free(filter);
  filter = filter_of_source(kind, count, BLOOMERY_SOURCE_INTEGERS);
  CHECK_OK(bloomery_filter_try_insert_u64_receipt(filter, 1, &receipts[1], &error));
  CHECK(bloomery_filter_may_contain_u64(filter, 1) == 1);
  CHECK_OK(bloomery_filter_erase_receipt(filter, &receipts[1], NULL));
  CHECK(bloomery_filter_may_contain_u64(filter, 1) == 0);
  bloomery_filter_free(filter);
  bloomery_filter_free(other);
  bloomery_filter_free(empty);
}

// The filter knows which of them were used, and so does its file.
static void test_numbered_receipts_of(uint32_t kind) {
  bloomery_filter* filter = filter_of(kind, count);
  bloomery_filter* again = NULL;
  bloomery_receipt receipts[3], stored[3];
  bloomery_error error = BLOOMERY_ERROR_INIT;
  const char* path = file_named("numbered.bloom");
  for (unsigned i = 0; i < 3; ++i) {
    CHECK_OK(bloomery_filter_try_insert_numbered_receipt(filter, "a", 1, &receipts[i],
                                                         &error));
    stored[i] = receipts[i];
  }
  CHECK_OK(bloomery_filter_erase_receipt(filter, &receipts[0], &error));
  CHECK(is_zero(&receipts[0]));
  check_refused(filter, &stored[0], BLOOMERY_NOT_PRESENT);
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, &error));
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error));
  check_refused(again, &stored[0], BLOOMERY_NOT_PRESENT);
  CHECK_OK(bloomery_filter_erase_receipt(again, &receipts[1], &error));
  check_refused(again, &stored[1], BLOOMERY_NOT_PRESENT);
  CHECK(bloomery_filter_may_contain(again, "a", 1) == 1);
  bloomery_filter_free(again);
  bloomery_filter_free(filter);
}

// A receipt is of the stored filter, too.
static void test_stored(uint32_t kind) {
  bloomery_filter *filter = filter_with_identity(kind, 5), *again = NULL;
  bloomery_receipt receipt;
  const char* path = file_named("receipts.bloom");
  CHECK_OK(bloomery_filter_try_insert_receipt(filter, "a", 1, &receipt, NULL));
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, NULL));
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, NULL));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  CHECK_OK(bloomery_filter_erase_receipt(again, &receipt, NULL));
  CHECK(bloomery_filter_may_contain(again, "a", 1) == 0);
  bloomery_filter_free(filter);
  bloomery_filter_free(again);
}

void test_receipts(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    const uint32_t kind = bloomery_kind_at(i);
    if (!bloomery_kind_can(kind, BLOOMERY_CAN_ERASE)) continue;
    test_receipts_of(kind);
    test_numbered_receipts_of(kind);
    test_stored(kind);
  }
}

static void test_by_key(uint32_t kind) {
  bloomery_filter *filter = filter_of(kind, count), *empty = copy_of(filter);
  bloomery_filter* numbers = filter_of_source(kind, count, BLOOMERY_SOURCE_INTEGERS);
  bloomery_error error = BLOOMERY_ERROR_INIT;
  const void* keys[3] = {"a", "b", "c"};
  const size_t sizes[3] = {1, 1, 1};
  const uint64_t offsets[4] = {0, 1, 2, 3}, integers[3] = {1, 2, 3};
  uint64_t hashes[3], copies = 0;
  uint8_t erased[3] = {7, 7, 7};
  size_t total = 7;
  CHECK_STATUS(bloomery_filter_erase_present(filter, "a", 1, &error),
               BLOOMERY_NOT_PRESENT);
  CHECK(error.code == BLOOMERY_NOT_PRESENT && bloomery_filter_equal(filter, empty) == 1);
  for (unsigned i = 0; i < 3; ++i)
    CHECK_OK(bloomery_filter_hash(filter, keys[i], sizes[i], &hashes[i]));

  // Two copies go one by one.
  CHECK_OK(bloomery_filter_try_insert(filter, "a", 1, &error));
  CHECK_OK(bloomery_filter_try_insert_hash(filter, hashes[0], &error));
  CHECK_OK(bloomery_filter_count(filter, "a", 1, &copies, &error));
  CHECK(copies == 2);
  CHECK_OK(bloomery_filter_erase_present(filter, "a", 1, &error));
  CHECK_OK(bloomery_filter_count_hash(filter, hashes[0], &copies, &error));
  CHECK(copies == 1 && bloomery_filter_may_contain(filter, "a", 1) == 1);
  CHECK_OK(bloomery_filter_erase_present_hash(filter, hashes[0], &error));
  CHECK(bloomery_filter_equal(filter, empty) == 1);
  CHECK_STATUS(bloomery_filter_erase_present_u64(filter, 1, &error),
               BLOOMERY_INCOMPATIBLE);

  // Many: b is not there.
  for (unsigned way = 0; way < 3; ++way) {
    CHECK_OK(bloomery_filter_try_insert(filter, "a", 1, &error));
    CHECK_OK(bloomery_filter_try_insert(filter, "c", 1, &error));
    switch (way) {
      case 0:
        CHECK_OK(bloomery_filter_erase_present_batch(filter, keys, sizes, 3, erased,
                                                     &total, &error));
        break;
      case 1:
        CHECK_OK(bloomery_filter_erase_present_packed(filter, "abc", offsets, 3, erased,
                                                      &total, &error));
        break;
      default:
        CHECK_OK(bloomery_filter_erase_present_hash_batch(filter, hashes, 3, erased,
                                                          &total, &error));
    }
    CHECK(total == 2 && erased[0] == 1 && erased[1] == 0 && erased[2] == 1);
    CHECK(bloomery_filter_equal(filter, empty) == 1);
    memset(erased, 7, sizeof erased);
  }
  CHECK_OK(bloomery_filter_try_insert_u64(numbers, 2, &error));
  CHECK_OK(bloomery_filter_erase_present_u64_batch(numbers, integers, 3, erased, NULL,
                                                   &error));
  CHECK(erased[0] == 0 && erased[1] == 1 && erased[2] == 0);
  CHECK_OK(bloomery_filter_try_insert_u64(numbers, 2, &error));
  CHECK_OK(bloomery_filter_erase_present_u64(numbers, 2, &error));
  CHECK_OK(
      bloomery_filter_erase_present_hash_batch(filter, NULL, 0, NULL, &total, &error));
  CHECK(total == 0);
  bloomery_filter_free(filter);
  bloomery_filter_free(empty);
  bloomery_filter_free(numbers);
}

// Beyond its capacity a kind that can be full says so, and nothing has changed.
static void test_full(uint32_t kind) {
  bloomery_filter *filter = filter_of(kind, 100), *before = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  char key[32];
  unsigned i = 0;
  if (bloomery_kind_can(kind, BLOOMERY_CAN_INSERT)) {
    bloomery_filter_free(filter);
    return;
  }
  for (; i < 10000; ++i) {
    before = copy_of(filter);
    if (bloomery_filter_try_insert(filter, key, key_text(key, i), &error) != BLOOMERY_OK)
      break;
    bloomery_filter_free(before);
  }
  CHECK(i >= 100 && i < 10000);
  CHECK(error.code == BLOOMERY_FULL);
  CHECK(bloomery_filter_equal(filter, before) == 1);
  // One key less, one key more.
  CHECK_OK(bloomery_filter_erase_present(filter, "k0", 2, &error));
  CHECK_OK(bloomery_filter_try_insert(filter, "k0", 2, &error));
  bloomery_filter_free(before);
  bloomery_filter_free(filter);
}

void test_erase(void) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    const uint32_t kind = bloomery_kind_at(i);
    if (!bloomery_kind_can(kind, BLOOMERY_CAN_ERASE)) continue;
    test_by_key(kind);
    test_full(kind);
  }
}
