// An integer in a live filter of text: its type says what its keys are.
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

using shared = bloomery::concurrent<bloomery::block_bloom>;

#ifdef BLOOMERY_NOCOMPILE
void put(bloomery::live_filter<shared>& f) { f.insert(42); }
#else
void put(bloomery::live_filter<shared>::integers& f) { f.insert(42); }
#endif
