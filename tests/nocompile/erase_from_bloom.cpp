// A filter of bits cannot erase: the bits of a key are also those of others.
#include <bloomery/bloom.hpp>
#include <bloomery/counting_bloom.hpp>

#ifdef BLOOMERY_NOCOMPILE
bool put(bloomery::bloom& f) { return f.erase_present("key").has_value(); }
#else
bool put(bloomery::counting_bloom& f) { return f.erase_present("key").has_value(); }
#endif
