// Filters of other systems: every dialect that is written goes through all of it.
#include <math.h>

#include "check.h"

static void insert_and_ask(const bloomery_dialect* dialect, bloomery_foreign* filter) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  char text[50][32];
  const void* keys[50];
  size_t sizes[50];
  uint64_t offsets[51] = {0};
  char packed[1600];
  uint8_t perhaps[50];
  for (unsigned i = 0; i < 50; ++i) {
    keys[i] = text[i];
    sizes[i] = key_text(text[i], i);
    memcpy(packed + offsets[i], text[i], sizes[i]);
    offsets[i + 1] = offsets[i] + sizes[i];
    CHECK_OK(bloomery_foreign_insert(filter, keys[i], sizes[i], &error));
    CHECK(bloomery_foreign_may_contain(filter, keys[i], sizes[i]) == 1);
  }
  CHECK_OK(bloomery_foreign_may_contain_batch(filter, keys, sizes, 50, perhaps));
  for (unsigned i = 0; i < 50; ++i) CHECK(perhaps[i] == 1);
  CHECK_OK(bloomery_foreign_may_contain_packed(filter, packed, offsets, 50, perhaps));
  for (unsigned i = 0; i < 50; ++i) CHECK(perhaps[i] == 1);
  bloomery_foreign_facts facts = BLOOMERY_FOREIGN_FACTS_INIT;
  CHECK_OK(bloomery_foreign_info(filter, BLOOMERY_INFO_LAYOUT, &facts));
  CHECK(strcmp(facts.dialect, dialect->name) == 0);
  CHECK(facts.bits > 0 && facts.size_in_bytes > 0 && facts.parts >= 1 &&
        isnan(facts.fill));
  CHECK(strstr(dialect->variants, facts.variant) != NULL && strlen(facts.hash) > 0);
  CHECK_OK(bloomery_foreign_info(filter, BLOOMERY_INFO_ALL, &facts));
  CHECK(facts.fill > 0 && facts.fill < 1 && facts.realised_fpr < 0.5);
  bloomery_foreign_part part = BLOOMERY_FOREIGN_PART_INIT;
  CHECK_OK(bloomery_foreign_part_at(filter, 0, &part));
  CHECK(part.bits > 0);
  CHECK_INVALID(bloomery_foreign_part_at(filter, facts.parts, &part));
}

static void test_round_trip(size_t number, const bloomery_dialect* dialect) {
  bloomery_foreign_options options = BLOOMERY_FOREIGN_OPTIONS_INIT;
  bloomery_foreign *filter = NULL, *again = NULL;
  bloomery_buffer *buffer = NULL, *wrapped = NULL, *same = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  options.keys = 100;
  if (strstr(dialect->needs, "seed") != NULL) options.given = BLOOMERY_GIVEN_SEED;
  bloomery_status made = bloomery_foreign_make(dialect->name, &options, &filter, &error);
  if (made ==
      BLOOMERY_INVALID_ARGUMENT) {  // it must be told the number of hashes and bits
    options.given |= BLOOMERY_GIVEN_BITS | BLOOMERY_GIVEN_HASHES;
    options.bits = 4096;
    options.hashes = 3;
    made = bloomery_foreign_make(dialect->name, &options, &filter, &error);
  }
  CHECK_OK(made);
  if (filter == NULL) {
    fprintf(stderr, "%s: %s\n", dialect->name, error.message);
    return;
  }
  insert_and_ask(dialect, filter);

  // Its bytes, read again with what it needs to be told, are its bytes.
  bloomery_foreign_facts facts = BLOOMERY_FOREIGN_FACTS_INIT;
  CHECK_OK(bloomery_foreign_info(filter, BLOOMERY_INFO_LAYOUT, &facts));
  CHECK_OK(bloomery_foreign_encode(filter, NULL, &buffer, &error));
  const void* bytes = bloomery_buffer_data(buffer);
  const size_t size = bloomery_buffer_size(buffer);
  const int likeness = bloomery_dialect_could_be(number, bytes, size);
  CHECK(likeness >= (dialect->any_bytes ? 0 : 1));  // bits alone look like nothing
  bloomery_foreign_options reading = BLOOMERY_FOREIGN_OPTIONS_INIT;
  reading.variant = facts.variant;
  reading.hashes = facts.hashes;
  reading.seed = facts.seed;
  if (strstr(dialect->needs, "hashes") != NULL) reading.given |= BLOOMERY_GIVEN_HASHES;
  if (strstr(dialect->needs, "seed") != NULL) reading.given |= BLOOMERY_GIVEN_SEED;
  CHECK_OK(bloomery_foreign_decode(dialect->name, bytes, size, &reading, &again, &error));
  CHECK(again == NULL || bloomery_foreign_may_contain(again, "k7", 2) == 1);
  bloomery_foreign_free(again);
  const char* path = file_named("foreign.bin");
  CHECK_OK(bloomery_foreign_save(filter, path, &error));
  CHECK_OK(bloomery_foreign_load(dialect->name, path, &reading, &again, &error));
  bloomery_foreign_free(again);
  reading.max_bytes = size - 1;
  CHECK_STATUS(bloomery_foreign_load(dialect->name, path, &reading, &again, &error),
               BLOOMERY_TOO_LARGE);

  // Through a container, and out as it was.
  CHECK_OK(bloomery_foreign_wrap(filter, NULL, &wrapped, &error));
  CHECK_OK(bloomery_foreign_unwrap(bloomery_buffer_data(wrapped),
                                   bloomery_buffer_size(wrapped), NULL, &again, &error));
  CHECK_OK(bloomery_foreign_encode(again, NULL, &same, &error));
  CHECK(bloomery_buffer_size(same) == size);
  CHECK(memcmp(bytes, bloomery_buffer_data(same), size) == 0);
  CHECK_OK(bloomery_foreign_merge(filter, again, &error));
  bloomery_foreign_free(again);
  CHECK_OK(bloomery_foreign_save_wrapped(filter, NULL, path, &error));
  CHECK_OK(bloomery_foreign_load_wrapped(path, NULL, &again, &error));
  CHECK(bloomery_foreign_may_contain(again, "k7", 2) == 1);
  bloomery_foreign_free(again);
  bloomery_filter* own = NULL;
  CHECK_STATUS(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, path, NULL, &own, &error),
               BLOOMERY_INCOMPATIBLE);
  bloomery_buffer_free(buffer);
  bloomery_buffer_free(wrapped);
  bloomery_buffer_free(same);
  bloomery_foreign_free(filter);
}

void test_foreign(void) {
  bloomery_dialect dialect = BLOOMERY_DIALECT_INIT;
  bloomery_foreign* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  unsigned written = 0;
  CHECK(bloomery_dialect_count() >= 16);
  for (size_t i = 0; i < bloomery_dialect_count(); ++i) {
    CHECK_OK(bloomery_dialect_at(i, &dialect));
    CHECK(strlen(dialect.name) < 20 && strlen(dialect.summary) > 5 &&
          strlen(dialect.hash) > 0);
    CHECK(strlen(dialect.variants) > 0 && dialect.needs != NULL);
    CHECK(dialect.integers <= BLOOMERY_NUMBERS_ZERO_EXTENDED && dialect.texts <= 1);
    // To some owners no bytes are a filter; to all others they are refused.
    const bloomery_status status =
        bloomery_foreign_decode(dialect.name, "", 0, NULL, &filter, &error);
    CHECK((filter != NULL) == (status == BLOOMERY_OK));
    bloomery_foreign_free(filter);
    if (dialect.writes)
      ++written, test_round_trip(i, &dialect);
    else
      CHECK_STATUS(bloomery_foreign_make(dialect.name, NULL, &filter, &error),
                   BLOOMERY_UNSUPPORTED);
  }
  CHECK(written >= 14);
  CHECK_INVALID(bloomery_dialect_at(bloomery_dialect_count(), &dialect));
  CHECK(bloomery_dialect_could_be(999, "a", 1) == -BLOOMERY_INVALID_ARGUMENT);
  CHECK_INVALID(bloomery_foreign_decode("no such", "a", 1, NULL, &filter, &error));

  // A Parquet bitset: what split-block writes, its dialect reads.
  bloomery_filter* split = filter_of(BLOOMERY_KIND_SPLIT_BLOCK, 50);
  bloomery_foreign_options options = BLOOMERY_FOREIGN_OPTIONS_INIT;
  size_t size = 0;
  insert_keys(split, 50);
  const void* bits = bloomery_filter_bits(split, &size);
  options.variant = "bitset";
  CHECK_OK(bloomery_foreign_decode("parquet", bits, size, &options, &filter, &error));
  CHECK(bloomery_foreign_may_contain(filter, "k49", 3) == 1);
  bloomery_foreign_free(filter);
  options.variant = "wrong";
  CHECK_INVALID(
      bloomery_foreign_decode("parquet", bits, size, &options, &filter, &error));
  options.variant = "bitset";
  options.given = 1u << 20;
  CHECK_STATUS(bloomery_foreign_decode("parquet", bits, size, &options, &filter, &error),
               BLOOMERY_UNSUPPORTED);
  options.given = BLOOMERY_GIVEN_PART;
  options.part = 5;
  CHECK_INVALID(
      bloomery_foreign_decode("parquet", bits, size, &options, &filter, &error));
  bloomery_filter_free(split);
}
