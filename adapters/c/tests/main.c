// c_test FOLDER: everything about the C interface, from C.  FOLDER may be written to.
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
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter* filter = NULL;
  options.kind = kind;
  options.keys = keys;
  options.fpr = 0.01;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  if (filter == NULL) exit(1);
  return filter;
}

size_t key_text(char* text, unsigned i) { return (size_t)snprintf(text, 32, "k%u", i); }

void insert_keys(bloomery_filter* filter, unsigned count) {
  char key[32];
  for (unsigned i = 0; i < count; ++i)
    CHECK_OK(bloomery_filter_insert(filter, key, key_text(key, i)));
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: c_test FOLDER\n");
    return 2;
  }
  work_folder = argv[1];
  test_status();
  test_structs();
  test_hash();
  test_sizing();
  test_make();
  test_keys();
  test_whole();
  test_info();
  test_bytes();
  test_damage();
  test_view();
  test_packed();
  test_concurrent();
  test_foreign();
  test_null();
  printf("c_test: %lu checks, %lu failed\n", checks, failures);
  return failures != 0;
}
