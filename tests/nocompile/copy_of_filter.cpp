// A filter may hold gigabytes: it moves, and is never copied by accident.
#include <utility>

#include <bloomery/portable_bloom.hpp>

bloomery::portable_bloom take(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  return bloomery::portable_bloom(f);
#else
  return bloomery::portable_bloom(std::move(f));
#endif
}
