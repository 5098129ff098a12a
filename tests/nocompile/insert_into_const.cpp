// A const filter only answers: any number of threads may share it.
#include <bloomery/portable_bloom.hpp>

#ifdef BLOOMERY_NOCOMPILE
void put(const bloomery::portable_bloom& f) { f.insert("key"); }
#else
void put(bloomery::portable_bloom& f) { f.insert("key"); }
#endif
