// The C filters of xor_singleheader, which the package pyfusefilter carries
// (tools/xor_singleheader.py).
#include "one_key/contenders.hpp"

#if defined(BLOOMERY_PEER_XOR_SINGLEHEADER)
#include <cstdint>
#include <cstdlib>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <binaryfusefilter.h>
#include <xorfilter.h>
#pragma GCC diagnostic pop

namespace bloomery::bench {
namespace {

// T: a filter of theirs, with its calls.
template <class T, bool (*allocate)(std::uint32_t, T*),
          bool (*populate)(std::uint64_t*, std::uint32_t, T*),
          bool (*has)(std::uint64_t, const T*), void (*release)(T*),
          std::size_t (*size)(const T*)>
struct header_filter {
  static void* build(const std::uint64_t* keys, std::size_t count, unsigned) {
    const auto n = static_cast<std::uint32_t>(count);
    auto* f = new T{};
    std::vector<std::uint64_t> own(keys, keys + count);  // it sorts them
    if (allocate(n, f) && populate(own.data(), n, f)) return f;
    delete f;
    return nullptr;
  }
  [[gnu::noinline]] static bool contain(const T* f, std::uint64_t key) {
    return has(key, f);
  }
  static std::uint64_t count_called(const void* f, const std::uint64_t* keys,
                                    std::size_t count) {
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; ++i)
      yes += contain(static_cast<const T*>(f), keys[i]);
    return yes;
  }
  static std::uint64_t count_inline(const void* f, const std::uint64_t* keys,
                                    std::size_t count) {
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; ++i) yes += has(keys[i], static_cast<const T*>(f));
    return yes;
  }
  static std::size_t bytes(const void* f) { return size(static_cast<const T*>(f)); }
  static void free(void* f) {
    release(static_cast<T*>(f));
    delete static_cast<T*>(f);
  }
  static one_key_contender named(const char* name, unsigned bits) {
    return {name,         bits,         0,     nullptr, nullptr, build,
            count_inline, count_called, bytes, free};
  }
};

template <class T>
std::size_t fuse_bytes(const T* f) {
  return f->ArrayLength * sizeof *f->Fingerprints;
}
template <class T>
std::size_t xor_bytes(const T* f) {
  return 3 * f->blockLength * sizeof *f->fingerprints;
}

}  // namespace

std::vector<one_key_contender> xor_singleheader_contenders() {
  using fuse8 =
      header_filter<binary_fuse8_t, binary_fuse8_allocate, binary_fuse8_populate,
                    binary_fuse8_contain, binary_fuse8_free, fuse_bytes>;
  using fuse16 =
      header_filter<binary_fuse16_t, binary_fuse16_allocate, binary_fuse16_populate,
                    binary_fuse16_contain, binary_fuse16_free, fuse_bytes>;
  using xor8 = header_filter<xor8_t, xor8_allocate, xor8_populate, xor8_contain,
                             xor8_free, xor_bytes>;
  using xor16 = header_filter<xor16_t, xor16_allocate, xor16_populate, xor16_contain,
                              xor16_free, xor_bytes>;
  return {fuse8::named("xor_singleheader binary_fuse8", 8),
          xor8::named("xor_singleheader xor8", 8),
          fuse16::named("xor_singleheader binary_fuse16", 16),
          xor16::named("xor_singleheader xor16", 16)};
}

}  // namespace bloomery::bench

#else

namespace bloomery::bench {
std::vector<one_key_contender> xor_singleheader_contenders() { return {}; }
}  // namespace bloomery::bench

#endif
