/* A stranger's program in C: it knows the installed header and nothing else of the tree.
   Ends 0 if the library it was linked with answers as documented. */
#include <bloomery/bloomery.h>
#include <stdio.h>

static int fail(const char* what) {
  fprintf(stderr, "bloomery %s: %s\n", bloomery_version_string(), what);
  return 1;
}

int main(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_filter *filter = NULL, *again = NULL;
  bloomery_buffer* bytes = NULL;
  if (bloomery_abi_version() < BLOOMERY_ABI_VERSION) return fail("older than its header");
  if (bloomery_hash_self_check(&error)) return fail(error.message);
  options.kind = BLOOMERY_KIND_PORTABLE;
  options.keys = 1000;
  options.fpr = 0.001;
  if (bloomery_filter_make(&options, &filter, &error)) return fail(error.message);
  if (bloomery_filter_insert(filter, "alice", 5)) return fail("insert");
  if (bloomery_filter_encode(filter, BLOOMERY_FORM_CONTAINER, NULL, &bytes, &error))
    return fail(error.message);
  if (bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bloomery_buffer_data(bytes),
                             bloomery_buffer_size(bytes), NULL, &again, &error))
    return fail(error.message);
  if (bloomery_filter_equal(filter, again) != 1)
    return fail("decode does not undo encode");
  if (bloomery_filter_may_contain(again, "alice", 5) != 1)
    return fail("a key is missing");
  if (bloomery_filter_may_contain(again, "bob", 3) != 0) return fail("a wrong answer");
  options.fpr = 2;
  if (bloomery_filter_make(&options, &filter, &error) != BLOOMERY_INVALID_ARGUMENT)
    return fail("a rate of 2");
  bloomery_buffer_free(bytes);
  bloomery_filter_free(again);
  return 0;
}
