// A key that was made before the hasher changed would be lost: bytes only.
#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

using filter = bloomery::rekeyable_filter<bloomery::concurrent<bloomery::block_bloom>>;

bool ask(const filter& f, [[maybe_unused]] bloomery::key k) {
#ifdef BLOOMERY_NOCOMPILE
  return f.may_contain(k);
#else
  return f.may_contain("alice");
#endif
}
