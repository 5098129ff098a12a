// c_test FOLDER [NAME]: everything about the C interface, from C, or one part of it.
// FOLDER may be written to.
#include <stdlib.h>

#include "check.h"

unsigned long checks, failures;
const char* work_folder;

const char* file_named(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", work_folder, name);
  return path;
}

bloomery_filter* filter_of(uint32_t kind, uint64_t keys) {
  return filter_of_source(kind, keys, BLOOMERY_SOURCE_BYTES);
}

bloomery_filter* filter_of_source(uint32_t kind, uint64_t keys, uint32_t source) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_filter* filter = NULL;
  hasher.source = source;
  options.hasher = &hasher;
  options.kind = kind;
  options.keys = keys;
  options.fpr = 0.01;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  if (filter == NULL) exit(1);
  return filter;
}

size_t key_text(char* text, unsigned i) { return (size_t)snprintf(text, 32, "k%u", i); }

int erases(uint32_t kind) { return bloomery_kind_can(kind, BLOOMERY_CAN_ERASE); }

int forgets(uint32_t kind) {
  return kind == BLOOMERY_KIND_STABLE || kind == BLOOMERY_KIND_WINDOW;
}

int keeps_notes(uint32_t kind) { return !erases(kind) && !forgets(kind); }

double min_rate(uint32_t kind) {
  if (kind == BLOOMERY_KIND_STABLE) return 0.0001;    // it has not settled yet
  if (kind == BLOOMERY_KIND_SCALABLE) return 0.0005;  // of the levels only the first
  // Tags and slots have whole bits; the oldest keys of a window are beyond its promise.
  const int is_coarse = erases(kind) || kind == BLOOMERY_KIND_WINDOW ||
                        strcmp(bloomery_kind_units(kind), "slots") == 0;
  return is_coarse ? 0.004 : 0.009;
}

int grows(uint32_t kind) { return !bloomery_kind_can(kind, BLOOMERY_CAN_BUILD); }

void insert_key(bloomery_filter* filter, const void* key, size_t size) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info));
  CHECK_OK(bloomery_kind_can(info.kind, BLOOMERY_CAN_INSERT)
               ? bloomery_filter_insert(filter, key, size)
               : bloomery_filter_try_insert(filter, key, size, NULL));
}

void insert_keys(bloomery_filter* filter, unsigned count) {
  char key[32];
  for (unsigned i = 0; i < count; ++i) insert_key(filter, key, key_text(key, i));
}

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {
    {"status", test_status},
    {"structs", test_structs},
    {"hash", test_hash},
    {"kinds", test_kinds},
    {"calls", test_calls},
    {"builder", test_builder},
    {"erase", test_erase},
    {"receipts", test_receipts},
    {"receipts_law", test_receipts_law},
    {"sizing", test_sizing},
    {"make", test_make},
    {"keys", test_keys},
    {"whole", test_whole},
    {"info", test_info},
    {"fields", test_fields},
    {"bytes", test_bytes},
    {"damage", test_damage},
    {"view", test_view},
    {"packed", test_packed},
    {"foreign", test_foreign},
    {"null", test_null},
    {"concurrent", test_concurrent},
};

int main(int argc, char** argv) {
  unsigned run = 0;
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: c_test FOLDER [NAME]\n");
    return 2;
  }
  work_folder = argv[1];
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    if (argc == 3 && strcmp(argv[2], tests[i].name) != 0) continue;
    tests[i].run();
    ++run;
  }
  printf("c_test: %lu checks, %lu failed\n", checks, failures);
  return failures != 0 || run == 0;
}
