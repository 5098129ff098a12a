// The number of an enumerator is no promise.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f) {
#ifdef BLOOMERY_NOCOMPILE
  enum class color { red };
  f.insert(color::red);
#else
  enum class color { red };
  f.insert(static_cast<int>(color::red));
#endif
}
