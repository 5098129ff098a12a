// The toy kind from C, found by its name: its option, its field, its refusals.
#include <bloomery/bloomery.h>
#include <stdio.h>
#include <string.h>

#define CHECK(what) \
  if (!(what)) return printf("use.c:%d: %s\n", __LINE__, #what), 1

int main(int argc, char** argv) {
  const uint32_t toy = bloomery_kind_find("toy");
  CHECK(argc == 2 && toy != 0);
  CHECK(strcmp(bloomery_kind_name(toy), "toy") == 0);
  CHECK(bloomery_kind_can(toy, BLOOMERY_CAN_INSERT));
  CHECK(!bloomery_kind_can(toy, BLOOMERY_CAN_ERASE));

  bloomery_option option = BLOOMERY_OPTION_INIT;
  CHECK(bloomery_kind_option(toy, 0, &option) == BLOOMERY_OK);
  CHECK(strcmp(option.name, "stride") == 0 && option.max == 16);

  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  options.kind = toy;
  options.keys = 1000;
  options.fpr = 0.01;
  bloomery_filter *filter = NULL, *none = NULL;
  CHECK(bloomery_options_set(&options, "stride", "5", &error) == BLOOMERY_OK);
  CHECK(bloomery_filter_make(&options, &filter, &error) == BLOOMERY_OK);
  CHECK(bloomery_filter_insert(filter, "alice", 5) == BLOOMERY_OK);
  CHECK(bloomery_filter_may_contain(filter, "alice", 5) == 1);
  CHECK(bloomery_filter_may_contain(filter, "bob", 3) == 0);

  bloomery_field field = BLOOMERY_FIELD_INIT;
  CHECK(bloomery_filter_field(filter, "stride", &field, &error) == BLOOMERY_OK);
  CHECK(field.type == BLOOMERY_FIELD_COUNT && field.count == 5);
  bloomery_filter_free(filter);

  CHECK(bloomery_options_set(&options, "stride", "17", &error) == BLOOMERY_OK);
  CHECK(bloomery_filter_make(&options, &none, &error) == BLOOMERY_INVALID_ARGUMENT);
  printf("C, stride 17: %s\n", error.message);
  options.kind = BLOOMERY_KIND_BLOOM;
  CHECK(bloomery_options_set(&options, "stride", "5", &error) == BLOOMERY_OK);
  CHECK(bloomery_filter_make(&options, &none, &error) == BLOOMERY_UNSUPPORTED);
  printf("C, another kind: %s\n", error.message);

  // The tool's file, with stride 3.
  CHECK(bloomery_filter_load(BLOOMERY_FORM_CONTAINER, argv[1], NULL, &filter, &error) ==
        BLOOMERY_OK);
  CHECK(bloomery_filter_field(filter, "stride", &field, &error) == BLOOMERY_OK);
  CHECK(field.count == 3);
  CHECK(bloomery_filter_may_contain(filter, "key1", 4) == 1);
  bloomery_filter_free(filter);
  return 0;
}
