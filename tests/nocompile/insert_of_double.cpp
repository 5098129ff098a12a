// 0.0 and -0.0 are equal and differ in bytes.
#include <bit>
#include <cstdint>

#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f, double x) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(x);
#else
  f.insert(std::bit_cast<std::uint64_t>(x));
#endif
}
