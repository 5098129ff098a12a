// Batches over filters whose keys walk from bit to bit: the portable and the classic one.
// No state, no allocation, no errors.
//
// They set and test exactly the bits of the one-key calls, which are the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/bloom_probe.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_probe.hpp>

namespace bloomery::kernel {

template <class Probe>
struct walks {
  Probe probe;
  std::uint32_t probes;  // bits a key has
  bool in_cache;         // the bits fit the L2 cache: prefetching would only cost
};
using portable_layout = walks<portable_probe>;

template <class Probe>
void insert(const walks<Probe>& f, std::byte* data, std::span<const key> ks) noexcept;

// Beside other threads: wait-free.
template <class Probe>
void insert_shared(const walks<Probe>& f, std::byte* data,
                   std::span<const key> ks) noexcept;

// REQUIRES: out has room for ks.size()
template <class Probe>
void query(const walks<Probe>& f, const std::byte* data, std::span<const key> ks,
           bool* out) noexcept;

extern template void insert(const walks<portable_probe>&, std::byte*,
                            std::span<const key>) noexcept;
extern template void insert(const walks<bloom_probe>&, std::byte*,
                            std::span<const key>) noexcept;
extern template void insert_shared(const walks<portable_probe>&, std::byte*,
                                   std::span<const key>) noexcept;
extern template void insert_shared(const walks<bloom_probe>&, std::byte*,
                                   std::span<const key>) noexcept;
extern template void query(const walks<portable_probe>&, const std::byte*,
                           std::span<const key>, bool*) noexcept;
extern template void query(const walks<bloom_probe>&, const std::byte*,
                           std::span<const key>, bool*) noexcept;

}  // namespace bloomery::kernel
