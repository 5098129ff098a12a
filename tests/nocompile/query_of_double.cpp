// As for insert.
#include <bloomery/portable_bloom.hpp>

void put(const bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  (void)f.may_contain(1.5f);
#else
  (void)f.may_contain("1.5");
#endif
}
