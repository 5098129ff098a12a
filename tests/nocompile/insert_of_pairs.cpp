// A map is no set of keys: which half of its elements is?
#include <map>

#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f, const std::map<int, int>& m) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(m);
#else
  for (const auto& [k, unused] : m) f.insert(k);
#endif
}
