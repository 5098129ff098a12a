// A cuckoo filter that its keys fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/cuckoo.hpp>

namespace bloomery::inline v1 {

// Builds in `layout`, or with more buckets, up to `max_buckets`, if the keys do not fit
// it: one build in 10^12, or many keys with short tags.  Each attempt has other buckets
// for all of them; what does not fit twice as many was chosen for it, and takes no more
// memory. Errors: as cuckoo::make; full.  REQUIRES: ks are distinct, and ascending, so
// that the bytes are those of the set
inline result<cuckoo> build_cuckoo(cuckoo_layout layout, std::uint64_t max_buckets,
                                   std::span<const key> ks, std::uint64_t keys, hasher h,
                                   std::uint64_t identity) noexcept {
  for (;;) {
    auto made = cuckoo::make(layout, keys, h, identity);
    if (!made) return made;
    const std::size_t in = made->try_insert(ks);
    if (in == ks.size()) return made;
    layout.buckets += 2 + layout.buckets / 64 * 2;
    if (layout.buckets > max_buckets)
      return error{errc::full,
                   "the keys do not fit the filter sized for them: use another seed, or "
                   "a hash with a secret",
                   0, static_cast<double>(ks.size()), static_cast<double>(in)};
  }
}

}  // namespace bloomery::inline v1
