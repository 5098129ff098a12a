// Its bytes depend on the machine; a file says so (key_source::utf16).
#include <span>
#include <string>

#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f, const std::u16string& s) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(s);
#else
  f.insert(std::as_bytes(std::span(s)));
#endif
}
