// A reader belongs to the thread that made it, and stays where it was made.
#include <utility>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

bool ask(const bloomery::live_filter<bloomery::concurrent<bloomery::block_bloom>>& f) {
  const auto r = f.read();
#ifdef BLOOMERY_NOCOMPILE
  const auto moved = std::move(r);
  return moved.may_contain(f.hash("alice"));
#else
  return r.may_contain(f.hash("alice"));
#endif
}
