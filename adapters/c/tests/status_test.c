// Versions, statuses, errors, and structs of other versions.
#include <stdlib.h>

#include "check.h"

void test_status(void) {
  CHECK(bloomery_abi_version() == BLOOMERY_ABI_VERSION);
  CHECK(bloomery_abi_version() >> 16 == BLOOMERY_ABI_MAJOR);
  CHECK(strchr(bloomery_version_string(), '.') != NULL);
  CHECK(strlen(bloomery_kernel_name()) > 0);
  CHECK(strcmp(bloomery_status_name(BLOOMERY_OK), "ok") == 0);
  CHECK(strcmp(bloomery_status_name(BLOOMERY_UNATTAINABLE), "unattainable") == 0);
  CHECK(strcmp(bloomery_status_name(8), "io") == 0);
  CHECK(strcmp(bloomery_status_name(BLOOMERY_FULL), "full") == 0);
  CHECK(strcmp(bloomery_status_name(BLOOMERY_NOT_PRESENT), "not_present") == 0);
  CHECK(strcmp(bloomery_status_name(11), "too_many_copies") == 0);
  CHECK(strcmp(bloomery_status_name(12), "unknown") == 0);
  CHECK(strcmp(bloomery_status_name(-1), "unknown") == 0);
  for (int status = 0; status <= 11; ++status)
    CHECK(strcmp(bloomery_status_name(status), "unknown") != 0);

  // An error tells what was asked and what can be had.
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter* filter = (bloomery_filter*)&options;  // must become NULL
  bloomery_error error = BLOOMERY_ERROR_INIT;
  options.kind = BLOOMERY_KIND_PORTABLE;
  options.keys = 1000;
  options.fpr = 1e-9;
  CHECK_STATUS(bloomery_filter_make(&options, &filter, &error), BLOOMERY_UNATTAINABLE);
  CHECK(filter == NULL);
  CHECK(error.code == BLOOMERY_UNATTAINABLE);
  CHECK(error.asked == 1e-9 && error.possible > 4e-9 && error.possible < 1);
  CHECK(error.message != NULL && strlen(error.message) > 10);

  // An older caller's error has fewer members, and none beyond is written.
  bloomery_error shorter = BLOOMERY_ERROR_INIT;
  shorter.struct_size = 16;
  shorter.asked = -1;
  CHECK_STATUS(bloomery_filter_make(&options, &filter, &shorter), BLOOMERY_UNATTAINABLE);
  CHECK(shorter.code == BLOOMERY_UNATTAINABLE && shorter.asked == -1);
  CHECK(shorter.struct_size == 16 && shorter.message == NULL);
  shorter.struct_size = 0;  // nobody initialised it
  shorter.code = 77;
  CHECK_STATUS(bloomery_filter_make(&options, &filter, &shorter), BLOOMERY_UNATTAINABLE);
  CHECK(shorter.code == 77);

  // As a sentence; what an older struct lacks is not in it.
  char text[200] = "";
  const size_t length = bloomery_error_text(&error, text, sizeof text);
  CHECK(length > 10 && length == strlen(text));
  CHECK(strncmp(text, error.message, strlen(error.message)) == 0);
  CHECK(bloomery_error_text(&error, NULL, 0) == length);
  CHECK(bloomery_error_text(&error, text, 5) == length && strlen(text) == 4);
  CHECK(strncmp(text, error.message, 4) == 0);
  CHECK(bloomery_error_text(NULL, text, sizeof text) == 0 && text[0] == 0);
  shorter.struct_size = 16;
  text[0] = 'x';
  CHECK(bloomery_error_text(&shorter, text, sizeof text) == 0 && text[0] == 0);
  memset(error.path, 'p', sizeof error.path);  // without its end
  CHECK(bloomery_error_text(&error, text, sizeof text) > 87);
}

// A caller of the future: our struct, and a field behind it.
struct longer_options {
  bloomery_options known;
  uint64_t unheard_of;
};
struct longer_info {
  bloomery_info known;
  uint64_t unheard_of;
};

static void test_options_sizes(void) {
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  struct longer_options longer;
  bloomery_struct_init(&longer, sizeof longer);
  CHECK(longer.known.struct_size == sizeof longer && longer.unheard_of == 0);
  longer.known.keys = 1000;
  longer.known.fpr = 0.01;
  CHECK_OK(bloomery_filter_make(&longer.known, &filter, &error));
  bloomery_filter_free(filter);
  longer.unheard_of = 1;
  CHECK_STATUS(bloomery_filter_make(&longer.known, &filter, &error),
               BLOOMERY_UNSUPPORTED);
  CHECK(filter == NULL && error.at >= sizeof(bloomery_options));

  // The first version of a struct may have ended after any field: what is missing is
  // zero, whatever lies behind.
  bloomery_options shorter = BLOOMERY_OPTIONS_INIT;
  shorter.keys = 1000;
  shorter.fpr = 0.01;
  shorter.struct_size = (uint32_t)offsetof(bloomery_options, bits_per_key);
  shorter.bits_per_key = 3;  // not the caller's any more
  shorter.flags = 0xffffffff;
  shorter.hasher = (const bloomery_hasher*)1;
  CHECK_OK(bloomery_filter_make(&shorter, &filter, &error));
  bloomery_filter_free(filter);
  shorter.struct_size = (uint32_t)sizeof shorter;
  CHECK_STATUS(bloomery_filter_make(&shorter, &filter, &error),
               BLOOMERY_INVALID_ARGUMENT);

  const uint32_t wrong[] = {0, 4, 7, 4097, 0xffffffff};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    shorter.struct_size = wrong[i];
    CHECK_INVALID(bloomery_filter_make(&shorter, &filter, &error));
  }
}

// The first version of every struct, as 64-bit callers have it: what is compiled with
// them must go on working.
static void test_first_layouts(void) {
  if (sizeof(void*) != 8) return;
  CHECK(sizeof(bloomery_error) == 128 && offsetof(bloomery_error, message) == 32);
  CHECK(offsetof(bloomery_error, path) == 40);
  CHECK(sizeof(bloomery_hasher) == 40 && offsetof(bloomery_hasher, secret) == 16);
  CHECK(sizeof(bloomery_options) == 240 && offsetof(bloomery_options, hasher) == 72);
  CHECK(offsetof(bloomery_options, identity) == 80);
  CHECK(offsetof(bloomery_options, max_growth) == 88);
  CHECK(offsetof(bloomery_options, generations) == 100);
  CHECK(offsetof(bloomery_options, settings) == 112);
  CHECK(offsetof(bloomery_options, gap) == 104);
  CHECK(sizeof(bloomery_layout) == 48 && offsetof(bloomery_layout, expected_fpr) == 40);
  CHECK(sizeof(bloomery_promise) == 40 && offsetof(bloomery_promise, is_refused) == 36);
  CHECK(sizeof(bloomery_info) == 152 && offsetof(bloomery_info, parts) == 124);
  CHECK(offsetof(bloomery_info, identity) == 136);
  CHECK(sizeof(bloomery_write_options) == 48);
  CHECK(sizeof(bloomery_build_limits) == 40);
  CHECK(sizeof(bloomery_read_options) == 24);
  CHECK(sizeof(bloomery_container) == 160);
  CHECK(sizeof(bloomery_dialect) == 64 && offsetof(bloomery_dialect, any_bytes) == 60);
  CHECK(sizeof(bloomery_foreign_options) == 88);
  CHECK(sizeof(bloomery_foreign_facts) == 136);
  CHECK(sizeof(bloomery_foreign_part) == 144 &&
        offsetof(bloomery_foreign_part, name) == 32);
}

void test_structs(void) {
  test_first_layouts();
  test_options_sizes();

  bloomery_filter* filter = filter_of(BLOOMERY_KIND_BLOCK, 1000);
  struct longer_info longer;
  memset(&longer, 0xaa, sizeof longer);
  longer.known.struct_size = sizeof longer;
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &longer.known));
  CHECK(longer.known.struct_size == sizeof longer && longer.unheard_of == 0);
  CHECK(longer.known.kind == BLOOMERY_KIND_BLOCK && longer.known.capacity == 1000);

  bloomery_info shorter;
  memset(&shorter, 0xaa, sizeof shorter);
  shorter.struct_size = (uint32_t)offsetof(bloomery_info, capacity);
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &shorter));
  CHECK(shorter.kind == BLOOMERY_KIND_BLOCK && shorter.bits == longer.known.bits);
  CHECK(shorter.capacity == 0xaaaaaaaaaaaaaaaaull);
  shorter.struct_size = 1 << 20;
  CHECK_INVALID(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &shorter));
  CHECK_STATUS(bloomery_filter_info(filter, 1u << 31, &longer.known),
               BLOOMERY_UNSUPPORTED);
  bloomery_filter_free(filter);

  // The same in a struct that is optional, and in one inside another.
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  uint64_t long_form, short_form;
  CHECK_OK(bloomery_hash_u64(&hasher, 42, &long_form));
  hasher.struct_size = 8;
  hasher.seed = 7;  // beyond
  CHECK_OK(bloomery_hash_u64(&hasher, 42, &short_form));
  CHECK(long_form == short_form);
  hasher.struct_size = 3;
  CHECK_INVALID(bloomery_hash_u64(&hasher, 42, &short_form));
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  options.keys = 10;
  options.fpr = 0.01;
  options.hasher = &hasher;
  CHECK_INVALID(bloomery_filter_make(&options, &filter, NULL));

  uint32_t word = 5;
  bloomery_struct_init(&word, 3);  // too small for its own size
  CHECK(word == 5);
  bloomery_struct_init(NULL, 100);
}
