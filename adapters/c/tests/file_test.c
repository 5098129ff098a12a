// Mapped files: views, and sets of small filters.
#include <math.h>
#include <utime.h>

#include "check.h"

// Inverts one byte of a file in place.
static void hurt(const char* path, long at) {
  FILE* file = fopen(path, "r+b");
  CHECK(file != NULL);
  if (file == NULL) return;
  fseek(file, at, SEEK_SET);
  const int byte = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(byte ^ 0xff, file);
  fclose(file);
}

// Two writes within one tick of the clock look alike: let the last one be an old one.
static void make_old(const char* path) {
  const struct utimbuf old = {1000000000, 1000000000};
  CHECK(utime(path, &old) == 0);
}

static void test_view_of(uint32_t kind) {
  enum { count = 20000 };
  bloomery_filter* filter = filter_of(kind, count);
  bloomery_view* view = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT, own = BLOOMERY_INFO_INIT;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  const char* path = file_named("view.bloom");
  insert_keys(filter, count);
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, &error));
  CHECK_OK(bloomery_view_open(path, NULL, &view, &error));
  CHECK(bloomery_view_may_contain(view, "k17", 3) == 1);
  CHECK(bloomery_view_may_contain_u64(view, 42) == -BLOOMERY_INCOMPATIBLE);

  // It answers as the filter does, in every way of query.
  const void* keys[100];
  size_t sizes[100];
  char text[100][32], packed[3200];
  uint64_t offsets[101] = {0}, hashes[100], hash;
  uint8_t perhaps[3][100];
  for (unsigned i = 0; i < 100; ++i) {
    keys[i] = text[i];
    sizes[i] = key_text(text[i], count - 50 + i);
    memcpy(packed + offsets[i], text[i], sizes[i]);
    offsets[i + 1] = offsets[i] + sizes[i];
    CHECK_OK(bloomery_view_hash(view, keys[i], sizes[i], &hashes[i]));
  }
  CHECK_STATUS(bloomery_view_hash_u64(view, 42, &hash), BLOOMERY_INCOMPATIBLE);
  CHECK(bloomery_view_may_contain_hash(view, hashes[0]) == 1);
  CHECK_OK(bloomery_view_may_contain_batch(view, keys, sizes, 100, perhaps[0]));
  CHECK_OK(bloomery_view_may_contain_packed(view, packed, offsets, 100, perhaps[1]));
  CHECK_OK(bloomery_view_may_contain_hash_batch(view, hashes, 100, perhaps[2]));
  for (unsigned i = 0; i < 100; ++i)
    CHECK(perhaps[0][i] == bloomery_filter_may_contain(filter, keys[i], sizes[i]));
  CHECK(memcmp(perhaps[0], perhaps[1], 100) == 0 &&
        memcmp(perhaps[0], perhaps[2], 100) == 0);

  // And says the same of itself.
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_ALL, &own));
  CHECK_OK(bloomery_view_info(view, BLOOMERY_INFO_LAYOUT, &info));
  CHECK(info.kind == kind && info.bits == own.bits && info.hashes == own.hashes);
  CHECK(info.blocks == own.blocks && info.profile == own.profile);
  CHECK(info.hash_check == own.hash_check && info.capacity == count);
  CHECK(info.container == 1 && isnan(info.fill));
  CHECK_OK(bloomery_view_info(view, BLOOMERY_INFO_ALL, &info));
  CHECK(info.ones == own.ones && info.realised_fpr == own.realised_fpr);
  CHECK(bloomery_view_realised_fpr(view) == own.realised_fpr);
  CHECK(info.expected_fpr == own.expected_fpr);
  CHECK(bloomery_view_expected_fpr(view, count) ==
        bloomery_filter_expected_fpr(filter, count));
  CHECK_OK(bloomery_view_container(view, &facts));
  CHECK(facts.kind == kind && facts.chunks > 1 && facts.damaged_chunks == 0);
  bloomery_view_free(view);

  // That it is changed in place is seen; a damaged chunk answers "perhaps".
  uint64_t damaged = 0;
  make_old(path);
  CHECK_OK(bloomery_view_open(path, NULL, &view, &error));
  CHECK(bloomery_view_unchanged(view) == 1);
  hurt(path, (long)facts.payload_at + 5000);
  CHECK(bloomery_view_unchanged(view) == 0);
  bloomery_view_free(view);
  CHECK_OK(bloomery_view_open(path, NULL, &view, &error));
  CHECK_OK(bloomery_view_verify(view, 2, &damaged));
  CHECK(damaged == 1);
  CHECK_OK(bloomery_view_may_contain_batch(view, keys, sizes, 50, perhaps[0]));
  for (unsigned i = 0; i < 50; ++i) CHECK(perhaps[0][i] == 1);
  bloomery_view_free(view);
  CHECK_OK(bloomery_container_verify(path, &facts, &error));
  CHECK(facts.damaged_chunks == 1 && facts.first_damage_at == facts.payload_at + 4096);
  hurt(path, 60);
  CHECK_STATUS(bloomery_view_open(path, NULL, &view, &error), BLOOMERY_CORRUPT);
  CHECK(view == NULL);
  bloomery_filter_free(filter);
}

// Calls that take a path say which, and what the system says of it.
static void check_path(bloomery_status status, bloomery_error* error, const char* path,
                       const char* reason) {
  char text[400];
  CHECK(status != BLOOMERY_OK && error->code == (uint32_t)status);
  CHECK(strcmp(error->path, path) == 0);
  CHECK(bloomery_error_text(error, text, sizeof text) < sizeof text);
  CHECK(strstr(text, path) != NULL && strstr(text, reason) != NULL);
  bloomery_struct_init(error, sizeof *error);
}

static void test_paths(void) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_filter *filter = filter_of(BLOOMERY_KIND_BLOCK, 10), *again = NULL;
  bloomery_view* view = NULL;
  bloomery_packed* set = NULL;
  bloomery_packed_writer* writer = NULL;
  bloomery_foreign* foreign = NULL;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  const char* const path = "no such folder/x.bloom";
  const char* const missing = "No such file or directory";
  check_path(bloomery_view_open(path, NULL, &view, &error), &error, path, missing);
  check_path(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error),
             &error, path, missing);
  check_path(bloomery_filter_load(BLOOMERY_FORM_PORTABLE, path, NULL, &again, &error),
             &error, path, missing);
  check_path(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, &error),
             &error, path, missing);
  check_path(bloomery_packed_open(path, NULL, &set, &error), &error, path, missing);
  check_path(bloomery_packed_writer_create(path, &writer, &error), &error, path, missing);
  check_path(bloomery_foreign_load("nori", path, NULL, &foreign, &error), &error, path,
             missing);
  check_path(bloomery_foreign_load_wrapped(path, NULL, &foreign, &error), &error, path,
             missing);
  check_path(bloomery_container_inspect_file(path, &facts, &error), &error, path,
             missing);
  check_path(bloomery_container_verify(path, &facts, &error), &error, path, missing);
  // Bytes that are wrong.
  const char* wrong = file_named("wrong.bloom");
  FILE* file = fopen(wrong, "wb");
  CHECK(file != NULL && fputs("not a filter", file) >= 0 && fclose(file) == 0);
  check_path(bloomery_view_open(wrong, NULL, &view, &error), &error, wrong, "corrupt");
  check_path(bloomery_packed_open(wrong, NULL, &set, &error), &error, wrong, "corrupt");
  check_path(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, wrong, NULL, &again, &error),
             &error, wrong, "corrupt");
  bloomery_filter_free(filter);
}

// What keys are is told when a file is opened, and kept to.
static void test_view_of_integers(uint32_t kind) {
  enum { count = 100 };
  bloomery_filter *filter = filter_of_source(kind, count, BLOOMERY_SOURCE_INTEGERS),
                  *again = NULL;
  bloomery_view* view = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_read_options options = BLOOMERY_READ_OPTIONS_INIT;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  uint64_t numbers[2 * count], hash;
  uint8_t perhaps[2 * count];
  const char* path = file_named("integers.bloom");
  for (unsigned i = 0; i < 2 * count; ++i) numbers[i] = (uint64_t)i << 40;
  CHECK_OK(
      bloomery_kind_can(kind, BLOOMERY_CAN_INSERT)
          ? bloomery_filter_insert_u64_batch(filter, numbers, count)
          : bloomery_filter_try_insert_u64_batch(filter, numbers, count, NULL, &error));
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, &error));
  CHECK_STATUS(bloomery_view_open(path, NULL, &view, &error), BLOOMERY_INCOMPATIBLE);
  CHECK(strstr(error.message, "integers") != NULL);
  CHECK_STATUS(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error),
               BLOOMERY_INCOMPATIBLE);
  options.source = BLOOMERY_SOURCE_HASHES;
  CHECK_STATUS(bloomery_view_open(path, &options, &view, &error), BLOOMERY_INCOMPATIBLE);
  options.source = 77;
  CHECK_STATUS(bloomery_view_open(path, &options, &view, &error), BLOOMERY_UNSUPPORTED);
  for (int follow = 0; follow < 2; ++follow) {
    options.source = follow ? BLOOMERY_SOURCE_ANY : BLOOMERY_SOURCE_INTEGERS;
    CHECK_OK(bloomery_view_open(path, &options, &view, &error));
    CHECK_OK(bloomery_view_info(view, BLOOMERY_INFO_LAYOUT, &info));
    CHECK_OK(bloomery_view_container(view, &facts));
    CHECK(info.source == BLOOMERY_SOURCE_INTEGERS && facts.source == info.source);
    CHECK_OK(bloomery_view_may_contain_u64_batch(view, numbers, 2 * count, perhaps));
    for (unsigned i = 0; i < 2 * count; ++i)
      CHECK(perhaps[i] == bloomery_filter_may_contain_u64(filter, numbers[i]) &&
            (i >= count || perhaps[i] == 1));
    CHECK_OK(bloomery_view_hash_u64(view, numbers[1], &hash));
    CHECK(bloomery_view_may_contain_hash(view, hash) == 1);
    CHECK(bloomery_view_may_contain(view, "a", 1) == -BLOOMERY_INCOMPATIBLE);
    CHECK_STATUS(bloomery_view_hash(view, "a", 1, &hash), BLOOMERY_INCOMPATIBLE);
    bloomery_view_free(view);
  }
  CHECK(strcmp(bloomery_source_name(info.source), "integers") == 0);
  CHECK(strcmp(bloomery_source_name(99), "unknown") == 0);
  bloomery_filter_free(filter);
}

void test_view(void) {
  test_paths();
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    if (!grows(bloomery_kind_at(i))) continue;
    test_view_of(bloomery_kind_at(i));
    test_view_of_integers(bloomery_kind_at(i));
  }
}

void test_packed(void) {
  enum { members = 300 };
  bloomery_packed_writer* writer = NULL;
  bloomery_packed* set = NULL;
  bloomery_view* view = NULL;
  bloomery_filter* plain = NULL;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  bloomery_write_options notes = BLOOMERY_WRITE_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  uint8_t perhaps[members];
  uint64_t hash, key_hash, damaged = 7;
  char key[32];
  const char* path = file_named("packed.bloom");
  CHECK_OK(bloomery_packed_writer_create(path, &writer, &error));
  CHECK_INVALID(bloomery_packed_writer_finish(writer, NULL, &error));
  for (unsigned i = 0; i < members; ++i) {
    bloomery_filter* member = filter_of(BLOOMERY_KIND_BLOCK, 10 + i);
    CHECK_OK(bloomery_filter_insert(member, key, key_text(key, i)));
    CHECK_OK(bloomery_packed_writer_add(writer, member, &error));
    bloomery_filter_free(member);
  }
  bloomery_filter* other = filter_of(BLOOMERY_KIND_PORTABLE, 10);
  CHECK_STATUS(bloomery_packed_writer_add(writer, other, &error), BLOOMERY_INCOMPATIBLE);
  bloomery_filter_free(other);
  notes.keys = members;
  CHECK_OK(bloomery_packed_writer_finish(writer, &notes, &error));
  CHECK_INVALID(bloomery_packed_writer_finish(writer, &notes, &error));
  bloomery_packed_writer_free(writer);

  CHECK_OK(bloomery_packed_open(path, NULL, &set, &error));
  CHECK(bloomery_packed_size(set) == members);
  for (unsigned i = 0; i < members; ++i) {
    const size_t size = key_text(key, i);
    CHECK(bloomery_packed_may_contain(set, i, key, size) == 1);
    CHECK(bloomery_packed_may_contain_u64(set, i, i) == -BLOOMERY_INCOMPATIBLE);
    CHECK_OK(bloomery_packed_hash(set, key, size, &hash));
    CHECK(bloomery_packed_may_contain_hash(set, i, hash) == 1);
    CHECK(bloomery_packed_member_bytes(set, i) > 0);
  }
  CHECK_STATUS(bloomery_packed_hash_u64(set, 250, &key_hash), BLOOMERY_INCOMPATIBLE);
  CHECK_OK(bloomery_packed_hash(set, "k250", 4, &key_hash));
  CHECK_OK(bloomery_packed_ask_members(set, 0, members, key_hash, perhaps));
  unsigned found = 0;
  for (unsigned i = 0; i < members; ++i) {
    CHECK(perhaps[i] == bloomery_packed_may_contain_hash(set, i, key_hash));
    found += perhaps[i];
  }
  CHECK(perhaps[250] == 1 && found < members / 2);
  CHECK_INVALID(bloomery_packed_ask_members(set, 1, members, key_hash, perhaps));
  CHECK_INVALID(bloomery_packed_ask_members(set, UINT64_MAX, 2, key_hash, perhaps));
  CHECK(bloomery_packed_may_contain(set, members, "a", 1) == -BLOOMERY_INVALID_ARGUMENT);
  CHECK(bloomery_packed_member_bytes(set, members) == 0);
  CHECK_OK(bloomery_packed_verify(set, 1, &damaged));
  CHECK(damaged == 0);
  CHECK_OK(bloomery_packed_container(set, &facts));
  CHECK(facts.kind == BLOOMERY_KIND_PACKED && facts.member == BLOOMERY_KIND_BLOCK);
  CHECK(facts.units == members && facts.keys == members);
  bloomery_packed_free(set);
  make_old(path);
  CHECK_OK(bloomery_packed_open(path, NULL, &set, &error));
  CHECK(bloomery_packed_unchanged(set) == 1);
  hurt(path, (long)facts.payload_at);
  CHECK(bloomery_packed_unchanged(set) == 0);
  hurt(path, (long)facts.payload_at);
  bloomery_packed_free(set);

  // It is no filter by itself.
  CHECK_STATUS(bloomery_view_open(path, NULL, &view, &error), BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &plain, &error),
               BLOOMERY_INCOMPATIBLE);
  plain = filter_of(BLOOMERY_KIND_BLOCK, 10);
  CHECK_OK(bloomery_filter_save(plain, BLOOMERY_FORM_CONTAINER, NULL, path, &error));
  CHECK_STATUS(bloomery_packed_open(path, NULL, &set, &error), BLOOMERY_INCOMPATIBLE);
  bloomery_filter_free(plain);
  CHECK(set == NULL);
}
