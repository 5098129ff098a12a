// Batches over the portable filter: no state, no allocation, no errors.
//
// They set and test exactly the bits of the one-key calls, which are the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/key.hpp>
#include <bloomery/portable_probe.hpp>

namespace bloomery::kernel {

struct portable_layout {
  portable_probe probe;
  std::uint32_t probes;  // min(k, m)
  bool in_cache;         // the bits fit the L2 cache: prefetching would only cost
};

void insert(const portable_layout& f, std::byte* data, std::span<const key> ks) noexcept;

// REQUIRES: out has room for ks.size()
void query(const portable_layout& f, const std::byte* data, std::span<const key> ks,
           bool* out) noexcept;

}  // namespace bloomery::kernel
