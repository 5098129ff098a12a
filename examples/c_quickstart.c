#include <bloomery/bloomery.h>
#include <stdio.h>

int main(void) {
  const char* answers[] = {"definitely not present", "possibly present"};
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_filter* f = NULL;
  options.keys = 1000000;
  options.fpr = 0.01;
  if (bloomery_filter_make(&options, &f, &error)) return puts(error.message), 1;
  bloomery_filter_insert(f, "alice", 5);
  printf("alice: %s\n", answers[bloomery_filter_may_contain(f, "alice", 5) != 0]);
  printf("bob: %s\n", answers[bloomery_filter_may_contain(f, "bob", 3) != 0]);
  bloomery_filter_free(f);
  return 0;
}
