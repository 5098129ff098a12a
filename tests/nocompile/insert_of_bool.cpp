// true could be the integer 1 or a slip of the pen.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f, bool b) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(b);
#else
  f.insert(int{b});
#endif
}
