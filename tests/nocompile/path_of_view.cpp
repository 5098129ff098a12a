// A string_view may lack the zero at its end.
#include <string>
#include <string_view>

#include <bloomery/portable_bloom.hpp>

void put(const bloomery::portable_bloom& f, std::string_view path) {
#ifdef BLOOMERY_NOCOMPILE
  (void)f.save(path);
#else
  (void)f.save(std::string(path));
#endif
}
