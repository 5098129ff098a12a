// The one door from the formats into the filters: made around memory that exists.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <bloomery/container.hpp>

namespace bloomery::format {

struct filter_access {
  // REQUIRES: the facts were inspected, and `store` has the size they say
  template <class F>
  static F adopt(const container_facts& f, const hasher& h, pages store) noexcept;
};

template <>
inline block_bloom filter_access::adopt<block_bloom>(const container_facts& f,
                                                     const hasher& h,
                                                     pages store) noexcept {
  return block_bloom(
      block_storage({f.units, f.profile}, f.capacity, h, std::move(store)));
}
template <>
inline split_block_bloom filter_access::adopt<split_block_bloom>(const container_facts& f,
                                                                 const hasher& h,
                                                                 pages store) noexcept {
  return split_block_bloom(
      block_storage({f.units, f.profile}, f.capacity, h, std::move(store)));
}
template <>
inline bloom filter_access::adopt<bloom>(const container_facts& f, const hasher& h,
                                         pages store) noexcept {
  return bloom({f.units, f.hashes}, f.capacity, h, std::move(store));
}
template <>
inline portable_bloom filter_access::adopt<portable_bloom>(const container_facts& f,
                                                           const hasher&,
                                                           pages store) noexcept {
  return portable_bloom({f.units, f.hashes}, f.capacity, std::move(store));
}

// What a filter's header says about it, but for the notes of its builder.
inline container_facts layout_facts(const block_bloom& f) noexcept {
  container_facts c;
  c.kind = container_kind::block;
  c.profile = f.profile();
  c.units = f.shape().blocks;
  return c;
}
inline container_facts layout_facts(const split_block_bloom& f) noexcept {
  container_facts c;
  c.kind = container_kind::split_block;
  c.profile = block_profile::split;
  c.units = f.shape().blocks;
  return c;
}
inline container_facts layout_facts(const bloom& f) noexcept {
  container_facts c;
  c.kind = container_kind::bloom;
  c.units = f.bits();
  return c;
}
inline container_facts layout_facts(const portable_bloom& f) noexcept {
  container_facts c;
  c.kind = container_kind::portable;
  c.units = f.bits();
  return c;
}

template <class F>
container_facts facts_of(const F& f) noexcept {
  container_facts c = layout_facts(f);
  c.hash = f.hasher().id();
  c.seed = f.hasher().seed();
  c.hash_check = f.hasher().check();
  c.hashes = f.hashes();
  c.capacity = f.capacity();
  return c;
}

template <class F>
constexpr container_kind kind_of() noexcept;
template <>
constexpr container_kind kind_of<block_bloom>() noexcept {
  return container_kind::block;
}
template <>
constexpr container_kind kind_of<split_block_bloom>() noexcept {
  return container_kind::split_block;
}
template <>
constexpr container_kind kind_of<bloom>() noexcept {
  return container_kind::bloom;
}
template <>
constexpr container_kind kind_of<portable_bloom>() noexcept {
  return container_kind::portable;
}

}  // namespace bloomery::format
