// An integer is no key: it could be data or a hash, and the filter must not guess.
#include <bloomery/key.hpp>

bloomery::key make() {
#ifdef BLOOMERY_NOCOMPILE
  return 42;
#else
  return bloomery::key::from_bits(42);
#endif
}
