// result<T> does not turn into a number on its way to somewhere else.
#include <bloomery/detail/sizing.hpp>

bool is_sized() {
#ifdef BLOOMERY_NOCOMPILE
  return bloomery::size_by_rate(1000, 0.01);
#else
  return bloomery::size_by_rate(1000, 0.01).has_value();
#endif
}
