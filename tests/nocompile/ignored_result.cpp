// An error that nobody looks at is an error of the caller: warnings are errors here.
#include <bloomery/portable_bloom.hpp>

bool write(const bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.save("f.bloom");
  return true;
#else
  return f.save("f.bloom").has_value();
#endif
}
