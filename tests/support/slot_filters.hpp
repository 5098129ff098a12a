// Fuse and xor filters of a shape that the sizing would not choose: few slots, many
// shards, keys that do not fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <bloomery/detail/kind/slot/shape.hpp>
#include <bloomery/key.hpp>

#include "filter/slot_build.hpp"
#include "format/filter_access.hpp"
#include "must.hpp"

namespace bloomery::testing {

// REQUIRES: with several shards, each has a whole number of bytes
template <class F>
F filter_of_shape(const slot_shape& shape, std::span<const key> ks,
                  const hasher& h = hasher::xxh3(), unsigned threads = 1) {
  auto parts = must(build_slots<typename F::rule>(
      ks, [&](std::uint64_t) noexcept -> result<slot_shape> { return shape; }, threads));
  return format::filter_access::make<F>(parts.shape, parts.residue, parts.keys, h,
                                        std::move(parts.store), damage_set());
}

// The same filter with more keys in its residue.
template <class F>
F with_residue(const F& f, std::span<const key> more) {
  const auto at = static_cast<std::size_t>(f.shape().residue_at());
  std::vector<std::uint64_t> all(f.residue());
  if (!all.empty()) std::memcpy(all.data(), f.bytes().data() + at, 8 * all.size());
  for (std::uint64_t& h : all) h = words::as_little_endian(h);
  for (const key k : more) all.push_back(k.bits());
  std::ranges::sort(all);
  for (std::uint64_t& h : all) h = words::as_little_endian(h);
  auto store = must(pages::make(at + 8 * all.size()));
  std::memcpy(store.data(), f.bytes().data(), at);
  if (!all.empty()) std::memcpy(store.data() + at, all.data(), 8 * all.size());
  return format::filter_access::make<F>(f.shape(), f.residue() + more.size(),
                                        f.capacity() + more.size(), f.hasher(),
                                        std::move(store), damage_set());
}

}  // namespace bloomery::testing
