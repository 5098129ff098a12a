// Batches over filters whose keys walk from bit to bit: the portable and the classic one.
// No state, no allocation, no errors.
//
// They set and test exactly the bits of the one-key calls, which are the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/probe/bloom_probe.hpp>
#include <bloomery/detail/probe/portable_probe.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

template <class Probe>
struct bit_layout {
  Probe probe;
  std::uint32_t probes;  // bits a key has
  bool in_cache;         // the bits fit the L2 cache: prefetching would only cost
};
using portable_layout = bit_layout<portable_probe>;

template <class Probe>
void insert(const bit_layout<Probe>& f, std::byte* data,
            std::span<const key> ks) noexcept;

// Beside other threads: wait-free.
template <class Probe>
void insert_shared(const bit_layout<Probe>& f, std::byte* data,
                   std::span<const key> ks) noexcept;

// REQUIRES: out has room for ks.size()
template <class Probe>
void query(const bit_layout<Probe>& f, const std::byte* data, std::span<const key> ks,
           bool* out) noexcept;

extern template void insert(const bit_layout<portable_probe>&, std::byte*,
                            std::span<const key>) noexcept;
extern template void insert(const bit_layout<bloom_probe>&, std::byte*,
                            std::span<const key>) noexcept;
extern template void insert_shared(const bit_layout<portable_probe>&, std::byte*,
                                   std::span<const key>) noexcept;
extern template void insert_shared(const bit_layout<bloom_probe>&, std::byte*,
                                   std::span<const key>) noexcept;
extern template void query(const bit_layout<portable_probe>&, const std::byte*,
                           std::span<const key>, bool*) noexcept;
extern template void query(const bit_layout<bloom_probe>&, const std::byte*,
                           std::span<const key>, bool*) noexcept;

}  // namespace bloomery::kernel
