// A call that a kind lacks is missing in every form of key.
#include <array>

#include <bloomery/bloom.hpp>
#include <bloomery/cuckoo.hpp>

#ifdef BLOOMERY_NOCOMPILE
bool put(bloomery::bloom& f) { return f.try_insert(std::array<char, 2>()).has_value(); }
#else
bool put(bloomery::cuckoo& f) { return f.try_insert(std::array<char, 2>()).has_value(); }
#endif
