// Filters to bytes and back, and bytes that lie.
#include <stdlib.h>

#include "check.h"

// spec/dialects.md, section 1: k0 .. k9 at n = 10, p = 0.01.
static const char k10[] = "070000006000000000000000dd93738e46625dd24738197f";

static void test_portable_bytes(void) {
  bloomery_filter *filter = filter_of(BLOOMERY_KIND_PORTABLE, 10), *again = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  unsigned char bytes[64];
  char hex[129];
  size_t size = 0;
  uint64_t needed = 0;
  insert_keys(filter, 10);
  CHECK_OK(
      bloomery_filter_encoded_size(filter, BLOOMERY_FORM_PORTABLE, NULL, &needed, NULL));
  CHECK(needed == strlen(k10) / 2);
  CHECK_STATUS(bloomery_filter_encode_into(filter, BLOOMERY_FORM_PORTABLE, NULL, bytes,
                                           (size_t)needed - 1, &size, &error),
               BLOOMERY_TOO_LARGE);
  CHECK(error.asked == (double)needed && error.possible == (double)needed - 1);
  CHECK_OK(bloomery_filter_encode_into(filter, BLOOMERY_FORM_PORTABLE, NULL, bytes,
                                       sizeof bytes, &size, &error));
  CHECK(size == needed);
  for (size_t i = 0; i < size; ++i) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  CHECK(strcmp(hex, k10) == 0);

  CHECK_OK(
      bloomery_filter_decode(BLOOMERY_FORM_PORTABLE, bytes, size, NULL, &again, &error));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_filter_free(again);
  CHECK_STATUS(bloomery_filter_decode(BLOOMERY_FORM_PORTABLE, bytes, size - 1, NULL,
                                      &again, &error),
               BLOOMERY_CORRUPT);
  CHECK(again == NULL && error.at == size - 1);
  CHECK_STATUS(
      bloomery_filter_decode(BLOOMERY_FORM_PORTABLE, NULL, 0, NULL, &again, &error),
      BLOOMERY_CORRUPT);
  CHECK_STATUS(bloomery_filter_decode(7, bytes, size, NULL, &again, &error),
               BLOOMERY_UNSUPPORTED);
  const char* path = file_named("portable.bin");
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_PORTABLE, NULL, path, &error));
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_PORTABLE, path, NULL, &again, &error));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_filter_free(again);
  CHECK_STATUS(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error),
               BLOOMERY_CORRUPT);
  CHECK_STATUS(bloomery_filter_load(BLOOMERY_FORM_PORTABLE, file_named("none"), NULL,
                                    &again, &error),
               BLOOMERY_IO);
  CHECK(error.asked == 2);  // ENOENT
  bloomery_filter_free(filter);
}

static void test_forms(uint32_t kind) {
  bloomery_filter* filter = filter_of(kind, 100);
  uint64_t size;
  CHECK_STATUS(
      bloomery_filter_encoded_size(filter, BLOOMERY_FORM_PORTABLE, NULL, &size, NULL),
      kind == BLOOMERY_KIND_PORTABLE ? BLOOMERY_OK : BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(
      bloomery_filter_encoded_size(filter, BLOOMERY_FORM_BITSET, NULL, &size, NULL),
      kind == BLOOMERY_KIND_SPLIT_BLOCK ? BLOOMERY_OK : BLOOMERY_INCOMPATIBLE);
  CHECK_STATUS(bloomery_filter_encoded_size(filter, 0, NULL, &size, NULL),
               BLOOMERY_UNSUPPORTED);
  bloomery_filter_free(filter);
}

static void count_progress(void* context, uint64_t done, uint64_t all) {
  uint64_t* last = context;
  CHECK(done <= all && done >= *last);
  *last = done;
}

// `keys` decides whether the payload begins at 128 or at 4096.
static void test_container_bytes(uint32_t kind, unsigned keys) {
  bloomery_filter *filter = filter_of(kind, keys), *again = NULL;
  bloomery_write_options notes = BLOOMERY_WRITE_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_buffer* buffer = NULL;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  uint64_t sentinels[2], size = 0;
  insert_keys(filter, 100);
  CHECK_OK(bloomery_filter_hash(filter, "k1", 2, &sentinels[0]));
  CHECK_OK(bloomery_filter_hash(filter, "k2", 2, &sentinels[1]));
  const unsigned noted = keeps_notes(kind) != 0;
  notes.keys = noted * 100;
  notes.asked_fpr = 0.01;
  notes.sentinels = sentinels;
  notes.sentinel_count = noted * 2;
  CHECK_OK(bloomery_filter_encoded_size(filter, BLOOMERY_FORM_CONTAINER, &notes, &size,
                                        &error));
  CHECK_OK(
      bloomery_filter_encode(filter, BLOOMERY_FORM_CONTAINER, &notes, &buffer, &error));
  CHECK(bloomery_buffer_size(buffer) == size);
  const void* bytes = bloomery_buffer_data(buffer);
  CHECK(bloomery_container_has_magic(bytes, (size_t)size) == 1);
  CHECK(bloomery_container_has_magic("no", 2) == 0);
  void* copy = malloc((size_t)size + 5);
  size_t used = 0;
  CHECK_OK(bloomery_filter_encode_into(filter, BLOOMERY_FORM_CONTAINER, &notes, copy,
                                       (size_t)size + 5, &used, &error));
  CHECK(used == size && memcmp(copy, bytes, used) == 0);
  free(copy);

  CHECK_OK(bloomery_container_inspect(bytes, 128, size, &facts, &error));
  CHECK(facts.kind == kind && facts.keys == noted * 100 && facts.asked_fpr == 0.01);
  CHECK(facts.sentinels == noted * 2 && facts.file_bytes == size &&
        facts.capacity == keys);
  CHECK(facts.payload_at == (facts.payload_bytes >= 65536 ? 4096 : 128));
  CHECK_STATUS(bloomery_container_inspect(bytes, 128, size + 1, &facts, &error),
               BLOOMERY_CORRUPT);
  CHECK_INVALID(bloomery_container_inspect(bytes, 100, size, &facts, &error));

  CHECK_OK(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, (size_t)size, NULL,
                                  &again, &error));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  CHECK_OK(bloomery_filter_info(again, BLOOMERY_INFO_LAYOUT, &info));
  CHECK(info.container == 1 && info.damaged_chunks == 0 && info.capacity == keys);
  CHECK_OK(bloomery_filter_container(again, &facts));
  CHECK(facts.keys == noted * 100 && facts.ones > 0);
  CHECK_INVALID(bloomery_filter_container(filter, &facts));
  bloomery_filter_free(again);
  bloomery_read_options limits = BLOOMERY_READ_OPTIONS_INIT;
  limits.max_bytes = 10;
  CHECK_STATUS(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, (size_t)size,
                                      &limits, &again, &error),
               BLOOMERY_TOO_LARGE);

  uint64_t last = 0;
  notes.progress = count_progress;
  notes.context = &last;
  const char* path = file_named("filter.bloom");
  CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, &notes, path, &error));
  CHECK_OK(bloomery_container_inspect_file(path, &facts, &error));
  CHECK(facts.file_bytes == size);
  CHECK_OK(bloomery_container_verify(path, &facts, &error));
  CHECK(facts.damaged_chunks == 0);
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_filter_free(again);

  bloomery_buffer_free(buffer);
  notes.sentinel_count = 2;
  sentinels[1] = 0x123456789abcdef0;  // never inserted: a reader would refuse the file
  CHECK_INVALID(
      bloomery_filter_encode(filter, BLOOMERY_FORM_CONTAINER, &notes, &buffer, &error));
  notes.sentinel_count = 9;
  CHECK_INVALID(
      bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, &notes, path, &error));
  notes.sentinel_count = 0;
  notes.asked_fpr = 1;  // meant as per cent
  CHECK_INVALID(
      bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, &notes, path, &error));
  CHECK_OK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &again, &error));
  bloomery_filter_free(again);
  bloomery_filter_free(filter);
}

static void test_bitset(void) {
  bloomery_filter *filter = filter_of(BLOOMERY_KIND_SPLIT_BLOCK, 100), *again = NULL;
  bloomery_buffer* buffer = NULL;
  insert_keys(filter, 100);
  CHECK_OK(bloomery_filter_encode(filter, BLOOMERY_FORM_BITSET, NULL, &buffer, NULL));
  size_t size = 0;
  const void* bits = bloomery_filter_bits(filter, &size);
  CHECK(size == bloomery_buffer_size(buffer));
  CHECK(memcmp(bits, bloomery_buffer_data(buffer), size) == 0);
  CHECK_OK(bloomery_filter_decode(BLOOMERY_FORM_BITSET, bits, size, NULL, &again, NULL));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_filter_free(again);
  CHECK_STATUS(
      bloomery_filter_decode(BLOOMERY_FORM_BITSET, bits, size - 1, NULL, &again, NULL),
      BLOOMERY_CORRUPT);
  CHECK_STATUS(
      bloomery_filter_save(filter, BLOOMERY_FORM_BITSET, NULL, file_named("b"), NULL),
      BLOOMERY_UNSUPPORTED);
  bloomery_buffer_free(buffer);
  bloomery_filter_free(filter);
}

static void test_secret(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_read_options reading = BLOOMERY_READ_OPTIONS_INIT;
  bloomery_filter *filter = NULL, *again = NULL;
  bloomery_buffer* buffer = NULL;
  hasher.id = BLOOMERY_HASH_SIPHASH13;
  memcpy(hasher.secret, "sixteen secrets.", 16);
  options.keys = 100;
  options.fpr = 0.01;
  options.hasher = &hasher;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  insert_keys(filter, 10);
  CHECK_OK(bloomery_filter_encode(filter, BLOOMERY_FORM_CONTAINER, NULL, &buffer, NULL));
  const void* bytes = bloomery_buffer_data(buffer);
  const size_t size = bloomery_buffer_size(buffer);
  CHECK_STATUS(
      bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, size, NULL, &again, NULL),
      BLOOMERY_INCOMPATIBLE);
  reading.secret = (const uint8_t*)"sixteen guesses.";
  CHECK_STATUS(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, size, &reading,
                                      &again, NULL),
               BLOOMERY_INCOMPATIBLE);
  reading.secret = hasher.secret;
  CHECK_OK(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, size, &reading, &again,
                                  NULL));
  CHECK(bloomery_filter_equal(filter, again) == 1);
  bloomery_buffer_free(buffer);
  bloomery_filter_free(filter);
  bloomery_filter_free(again);
}

void test_bytes(void) {
  test_portable_bytes();
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    const uint32_t kind = bloomery_kind_at(i);
    if (!grows(kind)) continue;
    test_forms(kind);
    test_container_bytes(kind, 1000);
    test_container_bytes(kind, 100000);
  }
  test_bitset();
  test_secret();
}

// Every byte of a container flipped, and every length: refused, or open and reported.
void test_damage(void) {
  bloomery_filter *filter = filter_of(BLOOMERY_KIND_BLOCK, 200), *again = NULL;
  bloomery_buffer* buffer = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  unsigned refused = 0, open = 0;
  insert_keys(filter, 200);
  CHECK_OK(
      bloomery_filter_encode(filter, BLOOMERY_FORM_CONTAINER, NULL, &buffer, &error));
  const size_t size = bloomery_buffer_size(buffer);
  unsigned char* bytes = malloc(size);
  memcpy(bytes, bloomery_buffer_data(buffer), size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] ^= 0x10;
    if (bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, size, NULL, &again,
                               &error) == BLOOMERY_OK) {
      bloomery_info info = BLOOMERY_INFO_INIT;
      char key[32];
      ++open;
      CHECK_OK(bloomery_filter_info(again, BLOOMERY_INFO_LAYOUT, &info));
      CHECK(info.damaged_chunks == 1);
      for (unsigned k = 0; k < 200; ++k)
        CHECK(bloomery_filter_may_contain(again, key, key_text(key, k)) == 1);
      bloomery_filter_free(again);
    } else {
      ++refused;
      CHECK(again == NULL && strlen(error.message) > 0);
    }
    bytes[i] ^= 0x10;
  }
  CHECK(refused > 100 && open > 100);
  for (size_t length = 0; length < size; ++length)
    CHECK_STATUS(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bytes, length, NULL,
                                        &again, &error),
                 BLOOMERY_CORRUPT);
  free(bytes);
  bloomery_buffer_free(buffer);
  bloomery_filter_free(filter);
}
