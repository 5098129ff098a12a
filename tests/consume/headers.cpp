// Every public header, for a compiler other than the one that builds the tests.
#include <bloomery/bloomery.hpp>

template class bloomery::concurrent<bloomery::block_bloom>;
template class bloomery::concurrent<bloomery::block_bloom, bloomery::locked>;
template class bloomery::concurrent<bloomery::portable_bloom>;

// Members of these exist only where the filter has the call.
static_assert(sizeof(bloomery::live_filter<bloomery::concurrent<bloomery::block_bloom>>) >
              0);
static_assert(sizeof(bloomery::live_filter<bloomery::concurrent<bloomery::cuckoo>>) > 0);
