// Nor is one to be had: it would outlive the hasher that made it.
#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

using held = bloomery::concurrent<bloomery::block_bloom>;
#ifdef BLOOMERY_NOCOMPILE
using filter = bloomery::rekeyable_filter<held>;
#else
using filter = bloomery::live_filter<held>;
#endif

bloomery::key make(const filter& f) { return f.hash("alice"); }
