// Boost.Bloom (Boost 1.89 or later): its two fastest filters, 8 bits per key.
//
// fast_multiblock64 has the shape of our block filter, 8 x 64 bits in one line, and gets
// exactly as many lines: equal memory, and rates to compare.  fast_multiblock32 is sized
// by its own formula for the target rate: equal rates, and memory to compare.
//
// The hash is the key, and marked as avalanching: Boost does not mix it again.  Compiled
// for x86-64-v3 where that can run, because without AVX2 at compile time these two are
// not the filters their users mean.
#include <boost/bloom.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <type_traits>

#include <bloomery/detail/kind/block/sizing.hpp>

#include "kit/loops.hpp"
#include "peers/huge_allocator.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {
namespace {

// The keys are hashes already.
struct as_it_is {
  using is_avalanching = std::true_type;
  std::size_t operator()(std::uint64_t k) const noexcept { return k; }
};

template <class Subfilter>
using boost_filter = boost::bloom::filter<std::uint64_t, 1, Subfilter, 0, as_it_is,
                                          huge_allocator<unsigned char>>;

struct by_rate {
  template <class Filter>
  static Filter* make(std::uint64_t keys, double fpr) {
    return new Filter(static_cast<std::size_t>(keys), fpr);
  }
};

struct as_large_as_ours {
  template <class Filter>
  static Filter* make(std::uint64_t keys, double fpr) {
    const auto shape = size_blocks_by_rate(keys, fpr);
    return shape ? new Filter(static_cast<std::size_t>(8 * shape->size_in_bytes()))
                 : nullptr;
  }
};

// As large as a caller's batch may be, and as ours are measured.
constexpr std::size_t batch = 1024;

template <class Subfilter, class Sizing>
constexpr bloomery_peer peer_of(const char* name, const char* about) {
  using filter = boost_filter<Subfilter>;
  bloomery_peer p{};
  p.name = name;
  p.about = about;
  p.make = [](std::uint64_t keys, double fpr) -> void* {
    return Sizing::template make<filter>(keys, fpr);
  };
  p.insert = [](void* f, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<filter*>(f)->insert(keys[i]);
  };
  p.insert_batched = [](void* f, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; i += batch)
      static_cast<filter*>(f)->insert(keys + i, keys + std::min(count, i + batch));
  };
  p.clear = [](void* f) { static_cast<filter*>(f)->clear(); };
  p.build = [](const std::uint64_t* keys, std::size_t count, double fpr,
               unsigned) -> void* {
    filter* made = Sizing::template make<filter>(count, fpr);
    if (made != nullptr) made->insert(keys, keys + count);
    return made;
  };
  p.count = [](const void* f, const std::uint64_t* keys, std::size_t count) {
    const filter& me = *static_cast<const filter*>(f);
    return count_each(keys, count, [&](std::uint64_t k) { return me.may_contain(k); });
  };
  p.count_batched = [](const void* f, const std::uint64_t* keys, std::size_t count) {
    const filter& me = *static_cast<const filter*>(f);
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; i += batch)
      me.may_contain(keys + i, keys + std::min(count, i + batch),
                     [&](const std::uint64_t&, bool maybe) { yes += maybe; });
    return yes;
  };
  p.ticks = [](const void* f, const std::uint64_t* keys, std::size_t count,
               std::uint64_t* out) {
    const filter& me = *static_cast<const filter*>(f);
    stamp_each(keys, count, out, [&](std::uint64_t k) { return me.may_contain(k); });
  };
  p.bytes = [](const void* f) { return static_cast<const filter*>(f)->capacity() / 8; };
  p.free = [](void* f) { delete static_cast<filter*>(f); };
  return p;
}

#if defined(__AVX2__)
#define BLOOMERY_BOOST_BUILD "Boost " BOOST_LIB_VERSION ", built for x86-64-v3"
#else
#define BLOOMERY_BOOST_BUILD "Boost " BOOST_LIB_VERSION
#endif

}  // namespace

// Constant: nothing of this file may run before AVX2 has been found.
constinit const bloomery_peer boost32_peer =
    peer_of<boost::bloom::fast_multiblock32<8>, by_rate>(
        "Boost fast_multiblock32", BLOOMERY_BOOST_BUILD
        "; 8 bits per key, sized by its own formula for the rate; no second mix");
constinit const bloomery_peer boost64_peer =
    peer_of<boost::bloom::fast_multiblock64<8>, as_large_as_ours>(
        "Boost fast_multiblock64", BLOOMERY_BOOST_BUILD
        "; 8 bits per key, as many lines as block has; no second mix");

}  // namespace bloomery::bench
