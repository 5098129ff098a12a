// Boost.Bloom (Boost 1.89 or later): its two fastest filters, 8 bits a key.
//
// Compiled for x86-64-v3 where it can run, because without AVX2 at compile time these two
// are not the filters their users mean.
#include <boost/bloom.hpp>
#include <boost/version.hpp>

#include <type_traits>

#include "kit/loops.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {
namespace {

// The keys are hashes already.
struct as_it_is {
  using is_avalanching = std::true_type;
  std::size_t operator()(std::uint64_t k) const noexcept { return k; }
};

template <class Subfilter>
constexpr bloomery_peer peer_of(const char* name) {
  using filter = boost::bloom::filter<std::uint64_t, 1, Subfilter, 0, as_it_is>;
  bloomery_peer p{};
  p.name = name;
  p.about = "Boost.Bloom of Boost " BOOST_LIB_VERSION
            ", 8 bits a key"
#if defined(__AVX2__)
            ", built for x86-64-v3"
#endif
      ;
  p.make = [](std::uint64_t keys, double fpr) -> void* {
    return new filter(static_cast<std::size_t>(keys), fpr);
  };
  p.insert = [](void* f, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<filter*>(f)->insert(keys[i]);
  };
  p.clear = [](void* f) { static_cast<filter*>(f)->clear(); };
  p.count = [](const void* f, const std::uint64_t* keys, std::size_t count) {
    const filter& me = *static_cast<const filter*>(f);
    return count_each(keys, count, [&](std::uint64_t k) { return me.may_contain(k); });
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

}  // namespace

// Constant: nothing of this file may run before AVX2 has been found.
constinit const bloomery_peer boost32_peer =
    peer_of<boost::bloom::fast_multiblock32<8>>("Boost fast_multiblock32");
constinit const bloomery_peer boost64_peer =
    peer_of<boost::bloom::fast_multiblock64<8>>("Boost fast_multiblock64");

}  // namespace bloomery::bench
