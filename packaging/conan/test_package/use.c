#include <bloomery/bloomery.h>
#include <stdio.h>

int main(void) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  if (bloomery_hash_self_check(&error)) return puts(error.message), 1;
  printf("bloomery %s, from C\n", bloomery_version_string());
  return 0;
}
