// An 8-bit integer could be a byte of text.
#include <cstdint>

#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f, std::uint8_t x) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(x);
#else
  f.insert(int{x});
#endif
}
