// Every function with null where something must be: refused, never a crash.
#include <math.h>

#include "check.h"

#define CHECK_WRONG(call) CHECK((call) == -BLOOMERY_INVALID_ARGUMENT)

static void test_null_filter(bloomery_filter* filter, bloomery_error* error) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_layout layout = BLOOMERY_LAYOUT_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_filter* made = NULL;
  uint64_t hash = 0;
  uint8_t perhaps = 0;
  options.keys = 10;
  options.fpr = 0.1;
  bloomery_filter_free(NULL);
  CHECK_INVALID(bloomery_filter_make(NULL, &made, error));
  CHECK_INVALID(bloomery_filter_make(&options, NULL, error));
  CHECK_INVALID(bloomery_size(NULL, &layout, error));
  const uint32_t kind = BLOOMERY_KIND_BLOCK;
  const uint64_t keys = 10;
  double bits = 0;
  CHECK_INVALID(bloomery_budget(NULL, &keys, NULL, 1, 100, &bits, NULL, error));
  CHECK_INVALID(bloomery_budget(&kind, NULL, NULL, 1, 100, &bits, NULL, error));
  CHECK_INVALID(bloomery_budget(&kind, &keys, NULL, 1, 100, NULL, NULL, error));
  CHECK_OK(bloomery_budget(NULL, NULL, NULL, 0, 100, NULL, NULL, error));
  bloomery_build_limits limits = BLOOMERY_BUILD_LIMITS_INIT;
  bloomery_builder* builder = NULL;
  limits.memory = 1 << 20;
  CHECK_INVALID(bloomery_builder_make_limited(NULL, &limits, &builder, error));
  CHECK_INVALID(bloomery_builder_make_limited(&options, NULL, &builder, error));
  CHECK_INVALID(bloomery_builder_make_limited(&options, &limits, NULL, error));
  CHECK_INVALID(bloomery_builder_count(NULL, 1, &hash, error));
  CHECK_INVALID(bloomery_size(&options, NULL, error));
  CHECK_INVALID(bloomery_filter_copy(NULL, &made, error));
  CHECK_INVALID(bloomery_filter_copy(filter, NULL, error));
  CHECK_INVALID(bloomery_filter_merge(NULL, filter, error));
  CHECK_INVALID(bloomery_filter_merge(filter, NULL, error));
  CHECK_INVALID(bloomery_filter_fold_and_merge(filter, NULL, error));
  CHECK_INVALID(bloomery_filter_intersect(NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_fold(NULL, 2, error));
  CHECK_INVALID(bloomery_filter_fold_to_rate(NULL, 0.1, NULL, error));
  CHECK_INVALID(bloomery_filter_clear(NULL));
  CHECK_WRONG(bloomery_filter_equal(filter, NULL));
  CHECK_INVALID(bloomery_filter_info(NULL, 0, &info));
  CHECK_INVALID(bloomery_filter_info(filter, 0, NULL));
  CHECK(isnan(bloomery_filter_expected_fpr(NULL, 1)));
  CHECK(isnan(bloomery_filter_realised_fpr(NULL)));
  CHECK(bloomery_filter_bits(NULL, NULL) == NULL);
  CHECK(bloomery_filter_bits(filter, NULL) != NULL);

  CHECK_INVALID(bloomery_filter_insert(NULL, "a", 1));
  CHECK_INVALID(bloomery_filter_insert(filter, NULL, 1));
  CHECK_INVALID(bloomery_filter_insert_u64(NULL, 1));
  CHECK_INVALID(bloomery_filter_insert_hash(NULL, 1));
  CHECK_WRONG(bloomery_filter_may_contain(NULL, "a", 1));
  CHECK_WRONG(bloomery_filter_may_contain(filter, NULL, 1));
  CHECK_WRONG(bloomery_filter_may_contain_u64(NULL, 1));
  CHECK_WRONG(bloomery_filter_may_contain_hash(NULL, 1));
  CHECK_INVALID(bloomery_filter_hash(NULL, "a", 1, &hash));
  CHECK_INVALID(bloomery_filter_hash(filter, "a", 1, NULL));
  CHECK_INVALID(bloomery_filter_hash_u64(filter, 1, NULL));
  CHECK_INVALID(bloomery_filter_insert_batch(filter, NULL, NULL, 1));
  CHECK_INVALID(bloomery_filter_insert_packed(NULL, NULL, NULL, 0));
  CHECK_INVALID(bloomery_filter_insert_u64_batch(filter, NULL, 1));
  CHECK_INVALID(bloomery_filter_insert_hash_batch(filter, NULL, 1));
  CHECK_INVALID(bloomery_filter_insert_hash_batch_by(NULL, NULL, 0, 1));
  CHECK_INVALID(bloomery_filter_may_contain_batch(filter, NULL, NULL, 1, &perhaps));
  CHECK_INVALID(bloomery_filter_may_contain_packed(filter, NULL, NULL, 1, &perhaps));
  CHECK_INVALID(bloomery_filter_may_contain_u64_batch(filter, &hash, 1, NULL));
  CHECK_INVALID(bloomery_filter_may_contain_hash_batch(filter, &hash, 1, NULL));
}

static void test_null_calls(bloomery_filter* filter, bloomery_error* error) {
  uint64_t copies = 7;
  size_t inserted = 7;
  CHECK_INVALID(bloomery_filter_try_insert(NULL, "a", 1, error));
  CHECK_INVALID(bloomery_filter_try_insert(filter, NULL, 1, error));
  CHECK_INVALID(bloomery_filter_try_insert_u64(NULL, 1, error));
  CHECK_INVALID(bloomery_filter_try_insert_hash(NULL, 1, error));
  CHECK_INVALID(
      bloomery_filter_try_insert_batch(filter, NULL, NULL, 1, &inserted, error));
  CHECK(inserted == 0);
  CHECK_INVALID(bloomery_filter_try_insert_packed(NULL, NULL, NULL, 0, NULL, error));
  CHECK_INVALID(bloomery_filter_try_insert_u64_batch(filter, NULL, 1, NULL, error));
  CHECK_INVALID(bloomery_filter_try_insert_hash_batch(filter, NULL, 1, NULL, error));
  CHECK_WRONG(bloomery_filter_insert_if_absent(NULL, "a", 1));
  CHECK_WRONG(bloomery_filter_insert_if_absent(filter, NULL, 1));
  CHECK_WRONG(bloomery_filter_insert_u64_if_absent(NULL, 1));
  CHECK_WRONG(bloomery_filter_insert_hash_if_absent(NULL, 1));
  CHECK_INVALID(bloomery_filter_count(NULL, "a", 1, &copies, error));
  CHECK_INVALID(bloomery_filter_count(filter, "a", 1, NULL, error));
  CHECK_INVALID(bloomery_filter_count_u64(NULL, 1, &copies, error));
  CHECK_INVALID(bloomery_filter_count_hash(NULL, 1, &copies, error));
  CHECK_INVALID(bloomery_filter_for_each(filter, NULL, NULL, error));
  CHECK(bloomery_filter_built_keys(NULL) == 0 && copies == 7);
}

static void test_null_erase(bloomery_filter* filter, bloomery_error* error) {
  bloomery_receipt receipt = {{7}};
  size_t erased = 7;
  CHECK_INVALID(bloomery_filter_erase_present(NULL, "a", 1, error));
  CHECK_INVALID(bloomery_filter_erase_present(filter, NULL, 1, error));
  CHECK_INVALID(bloomery_filter_erase_present_u64(NULL, 1, error));
  CHECK_INVALID(bloomery_filter_erase_present_hash(NULL, 1, error));
  CHECK_INVALID(
      bloomery_filter_erase_present_batch(filter, NULL, NULL, 1, NULL, &erased, error));
  CHECK(erased == 0);
  CHECK_INVALID(
      bloomery_filter_erase_present_packed(NULL, NULL, NULL, 0, NULL, NULL, error));
  CHECK_INVALID(
      bloomery_filter_erase_present_u64_batch(filter, NULL, 1, NULL, NULL, error));
  CHECK_INVALID(
      bloomery_filter_erase_present_hash_batch(filter, NULL, 1, NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_erase_receipt(NULL, &receipt, error));
  CHECK_INVALID(bloomery_filter_erase_receipt(filter, NULL, error));
  CHECK(receipt.bytes[0] == 7);
  CHECK_INVALID(bloomery_filter_try_insert_receipt(NULL, "a", 1, &receipt, error));
  CHECK(receipt.bytes[0] == 0);
  CHECK_INVALID(bloomery_filter_try_insert_receipt(filter, NULL, 1, &receipt, error));
  CHECK_INVALID(bloomery_filter_try_insert_receipt(filter, "a", 1, NULL, error));
  CHECK_INVALID(bloomery_filter_try_insert_u64_receipt(NULL, 1, &receipt, error));
  CHECK_INVALID(bloomery_filter_try_insert_hash_receipt(filter, 1, NULL, error));
}

static void test_null_builder(bloomery_error* error) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_builder* builder = NULL;
  bloomery_filter* made = NULL;
  options.fpr = 0.1;
  bloomery_builder_free(NULL);
  CHECK_INVALID(bloomery_builder_make(NULL, &builder, error));
  CHECK_INVALID(bloomery_builder_make(&options, NULL, error));
  CHECK_INVALID(bloomery_builder_finish(NULL, 1, &made, error));
  CHECK_OK(bloomery_builder_make(&options, &builder, error));
  CHECK_INVALID(bloomery_builder_add(NULL, "a", 1));
  CHECK_INVALID(bloomery_builder_add(builder, NULL, 1));
  CHECK_INVALID(bloomery_builder_add_u64(NULL, 1));
  CHECK_INVALID(bloomery_builder_add_hash(NULL, 1));
  CHECK_INVALID(bloomery_builder_add_batch(builder, NULL, NULL, 1));
  CHECK_INVALID(bloomery_builder_add_packed(builder, NULL, NULL, 1));
  CHECK_INVALID(bloomery_builder_add_u64_batch(builder, NULL, 1));
  CHECK_INVALID(bloomery_builder_add_hash_batch(builder, NULL, 1));
  CHECK_INVALID(bloomery_builder_finish(builder, 1, NULL, error));
  CHECK_INVALID(bloomery_builder_finish(builder, 0, &made, error));
  bloomery_builder_free(builder);
}

static void test_null_bytes(bloomery_filter* filter, bloomery_error* error) {
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  bloomery_filter* made = NULL;
  bloomery_buffer* buffer = NULL;
  uint64_t size = 0;
  size_t used = 0;
  char memory[8];
  bloomery_buffer_free(NULL);
  CHECK(bloomery_buffer_data(NULL) == NULL && bloomery_buffer_size(NULL) == 0);
  CHECK_INVALID(bloomery_filter_encoded_size(NULL, 2, NULL, &size, error));
  CHECK_INVALID(bloomery_filter_encoded_size(filter, 2, NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_encode_into(filter, 2, NULL, NULL, 8, &used, error));
  CHECK_INVALID(bloomery_filter_encode_into(filter, 2, NULL, memory, 8, NULL, error));
  CHECK_INVALID(bloomery_filter_encode(NULL, 2, NULL, &buffer, error));
  CHECK_INVALID(bloomery_filter_encode(filter, 2, NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_save(filter, 2, NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_decode(2, NULL, 1, NULL, &made, error));
  CHECK_INVALID(bloomery_filter_decode(2, memory, 0, NULL, NULL, error));
  CHECK_INVALID(bloomery_filter_load(2, NULL, NULL, &made, error));
  CHECK_WRONG(bloomery_container_has_magic(NULL, 1));
  CHECK_INVALID(bloomery_container_inspect(NULL, 128, 128, &facts, error));
  CHECK_INVALID(bloomery_container_inspect(memory, 8, 8, NULL, error));
  CHECK_INVALID(bloomery_container_inspect_file(NULL, &facts, error));
  CHECK_INVALID(bloomery_container_verify(NULL, &facts, error));
  CHECK_INVALID(bloomery_filter_container(NULL, &facts));
  CHECK_INVALID(bloomery_random_secret(NULL, NULL));
  CHECK_INVALID(bloomery_hash_bytes(NULL, NULL, 1, &size));
  CHECK_INVALID(bloomery_hash_bytes(NULL, "a", 1, NULL));
  CHECK_INVALID(bloomery_hash_u64(NULL, 1, NULL));
  CHECK_INVALID(bloomery_hash_check(NULL, NULL));
  CHECK_INVALID(bloomery_portable_promise(100, 7, 10, 0.01, NULL, error));
}

static void test_null_files(bloomery_error* error) {
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_view* view = NULL;
  bloomery_packed* set = NULL;
  bloomery_packed_writer* writer = NULL;
  uint64_t hash = 0;
  uint8_t perhaps = 0;
  bloomery_view_free(NULL);
  CHECK_INVALID(bloomery_view_open(NULL, NULL, &view, error));
  CHECK_INVALID(bloomery_view_open("a", NULL, NULL, error));
  CHECK_WRONG(bloomery_view_may_contain(NULL, "a", 1));
  CHECK_WRONG(bloomery_view_may_contain_u64(NULL, 1));
  CHECK_WRONG(bloomery_view_may_contain_hash(NULL, 1));
  CHECK_INVALID(bloomery_view_hash(NULL, "a", 1, &hash));
  CHECK_INVALID(bloomery_view_hash_u64(NULL, 1, &hash));
  CHECK_INVALID(bloomery_view_may_contain_batch(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_view_may_contain_packed(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_view_may_contain_u64_batch(NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_view_may_contain_hash_batch(NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_view_verify(NULL, 1, NULL));
  CHECK_WRONG(bloomery_view_unchanged(NULL));
  CHECK_INVALID(bloomery_view_info(NULL, 0, &info));
  CHECK_INVALID(bloomery_view_container(NULL, &facts));
  CHECK(isnan(bloomery_view_expected_fpr(NULL, 1)));
  CHECK(isnan(bloomery_view_realised_fpr(NULL)));
  bloomery_packed_free(NULL);
  CHECK_INVALID(bloomery_packed_open(NULL, NULL, &set, error));
  CHECK(bloomery_packed_size(NULL) == 0);
  CHECK_WRONG(bloomery_packed_may_contain(NULL, 0, "a", 1));
  CHECK_WRONG(bloomery_packed_may_contain_u64(NULL, 0, 1));
  CHECK_WRONG(bloomery_packed_may_contain_hash(NULL, 0, 1));
  CHECK_INVALID(bloomery_packed_ask_members(NULL, 0, 0, 1, NULL));
  CHECK_INVALID(bloomery_packed_hash(NULL, "a", 1, &hash));
  CHECK_INVALID(bloomery_packed_hash_u64(NULL, 1, &hash));
  CHECK(bloomery_packed_member_bytes(NULL, 0) == 0);
  CHECK_INVALID(bloomery_packed_verify(NULL, 1, NULL));
  CHECK_WRONG(bloomery_packed_unchanged(NULL));
  CHECK_INVALID(bloomery_packed_container(NULL, &facts));
  bloomery_packed_writer_free(NULL);
  CHECK_INVALID(bloomery_packed_writer_create(NULL, &writer, error));
  CHECK_INVALID(bloomery_packed_writer_add(NULL, NULL, error));
  CHECK_INVALID(bloomery_packed_writer_finish(NULL, NULL, error));
}

static void test_null_concurrent(bloomery_filter* filter, bloomery_error* error) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_concurrent* made = NULL;
  bloomery_filter *plain = NULL, *none = NULL;
  uint64_t hash = 0;
  uint8_t perhaps = 0;
  bloomery_concurrent_free(NULL);
  CHECK_INVALID(bloomery_concurrent_make(NULL, 0, &made, error));
  CHECK_INVALID(bloomery_concurrent_adopt(NULL, 0, &made, error));
  CHECK_INVALID(bloomery_concurrent_adopt(&none, 0, &made, error));
  CHECK_INVALID(bloomery_concurrent_adopt(&filter, 0, NULL, error));
  CHECK_INVALID(bloomery_concurrent_insert(NULL, "a", 1));
  CHECK_INVALID(bloomery_concurrent_insert_u64(NULL, 1));
  CHECK_INVALID(bloomery_concurrent_insert_hash(NULL, 1));
  CHECK_WRONG(bloomery_concurrent_insert_if_absent(NULL, "a", 1));
  CHECK_WRONG(bloomery_concurrent_insert_u64_if_absent(NULL, 1));
  CHECK_WRONG(bloomery_concurrent_insert_hash_if_absent(NULL, 1));
  CHECK_WRONG(bloomery_concurrent_may_contain(NULL, "a", 1));
  CHECK_WRONG(bloomery_concurrent_may_contain_u64(NULL, 1));
  CHECK_WRONG(bloomery_concurrent_may_contain_hash(NULL, 1));
  CHECK_INVALID(bloomery_concurrent_hash(NULL, "a", 1, &hash));
  CHECK_INVALID(bloomery_concurrent_hash_u64(NULL, 1, &hash));
  CHECK_INVALID(bloomery_concurrent_insert_batch(NULL, NULL, NULL, 0));
  CHECK_INVALID(bloomery_concurrent_insert_packed(NULL, NULL, NULL, 0));
  CHECK_INVALID(bloomery_concurrent_insert_u64_batch(NULL, NULL, 0));
  CHECK_INVALID(bloomery_concurrent_insert_hash_batch(NULL, NULL, 0));
  CHECK_INVALID(bloomery_concurrent_may_contain_batch(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_concurrent_may_contain_packed(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_concurrent_may_contain_u64_batch(NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_concurrent_may_contain_hash_batch(NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_concurrent_snapshot(NULL, &plain, error));
  CHECK_INVALID(bloomery_concurrent_save(NULL, NULL, "a", error));
  CHECK_INVALID(bloomery_concurrent_merge(NULL, filter, error));
  CHECK_INVALID(bloomery_concurrent_clear(NULL));
  CHECK_INVALID(bloomery_concurrent_info(NULL, 0, &info));
}

static void test_null_foreign(bloomery_error* error) {
  bloomery_foreign_facts facts = BLOOMERY_FOREIGN_FACTS_INIT;
  bloomery_foreign_part part = BLOOMERY_FOREIGN_PART_INIT;
  bloomery_foreign* made = NULL;
  bloomery_buffer* buffer = NULL;
  uint8_t perhaps = 0;
  bloomery_foreign_free(NULL);
  CHECK_INVALID(bloomery_dialect_at(0, NULL));
  CHECK_WRONG(bloomery_dialect_could_be(0, NULL, 1));
  CHECK_INVALID(bloomery_foreign_decode(NULL, "a", 1, NULL, &made, error));
  CHECK_INVALID(bloomery_foreign_decode("nori", NULL, 1, NULL, &made, error));
  CHECK_INVALID(bloomery_foreign_decode("nori", "a", 1, NULL, NULL, error));
  CHECK_INVALID(bloomery_foreign_load("nori", NULL, NULL, &made, error));
  CHECK_INVALID(bloomery_foreign_make(NULL, NULL, &made, error));
  CHECK_WRONG(bloomery_foreign_may_contain(NULL, "a", 1));
  CHECK_INVALID(bloomery_foreign_may_contain_batch(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_foreign_may_contain_packed(NULL, NULL, NULL, 0, &perhaps));
  CHECK_INVALID(bloomery_foreign_insert(NULL, "a", 1, error));
  CHECK_INVALID(bloomery_foreign_merge(NULL, NULL, error));
  CHECK_INVALID(bloomery_foreign_encode(NULL, NULL, &buffer, error));
  CHECK_INVALID(bloomery_foreign_save(NULL, "a", error));
  CHECK_INVALID(bloomery_foreign_unwrap(NULL, 1, NULL, &made, error));
  CHECK_INVALID(bloomery_foreign_load_wrapped(NULL, NULL, &made, error));
  CHECK_INVALID(bloomery_foreign_wrap(NULL, NULL, &buffer, error));
  CHECK_INVALID(bloomery_foreign_save_wrapped(NULL, NULL, "a", error));
  CHECK_INVALID(bloomery_foreign_info(NULL, 0, &facts));
  CHECK_INVALID(bloomery_foreign_part_at(NULL, 0, &part));
}

void test_null(void) {
  bloomery_filter* filter = filter_of(BLOOMERY_KIND_BLOCK, 10);
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_error* errors[2] = {&error, NULL};  // and none to be told
  for (unsigned i = 0; i < 2; ++i) {
    test_null_filter(filter, errors[i]);
    test_null_calls(filter, errors[i]);
    test_null_erase(filter, errors[i]);
    test_null_builder(errors[i]);
    test_null_bytes(filter, errors[i]);
    test_null_files(errors[i]);
    test_null_concurrent(filter, errors[i]);
    test_null_foreign(errors[i]);
  }
  CHECK(error.code == BLOOMERY_INVALID_ARGUMENT && strlen(error.message) > 0);
  bloomery_filter_free(filter);
}
