// One key against many filters: the levels of an LSM tree, the shards of a table.
//
//   auto levels = bloomery::filter_set<bloomery::block_bloom>::make(pointers);
//   const bloomery::key k = levels->hash("alice");
//   levels->may_contain(k, matches);            // bit f: filter f may have it
//
// A key is hashed once, and its bit positions are computed once; while one line is
// tested, those of the other filters are being prefetched.  All filters share one hasher,
// so keys cannot be mixed up.
//
// The set does not own the filters: they must outlive it, and must not be moved, folded
// or assigned to meanwhile.  Inserting into them is fine.
// Thread safety: that of the filters.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/block_bloom.hpp>
#include <bloomery/export.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/key_types.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::inline v1 {

// F: block_bloom of one profile, or split_block_bloom.
template <class F>
requires std::same_as<F, block_bloom> || std::same_as<F, split_block_bloom>
class BLOOMERY_EXPORT filter_set {
 public:
  // Errors: invalid_argument (no filters, a null pointer), incompatible (another hasher
  // or profile; asked: which filter), out_of_memory.
  static result<filter_set> make(std::span<const F* const> filters) noexcept;

  std::size_t size() const noexcept { return count_; }
  // Words of answers for one key.
  std::size_t words() const noexcept { return (count_ + 63) / 64; }

  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash(std::nullptr_t) const = delete;
  // Integers and bytes: key_types.hpp.
  template <single_key T>
  requires(!detail::taken_as_is<const T&>) key hash(const T& x)
  const noexcept { return key_of(hasher_, x); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // Bit f % 64 of word f / 64: filter f may contain the key.  The bits after the last are
  // 0.  REQUIRES: out.size() == words()
  void may_contain(key k, std::span<std::uint64_t> out) const noexcept {
    may_contain(std::span<const key>(&k, 1), out);
  }
  void may_contain(std::string_view bytes, std::span<std::uint64_t> out) const noexcept {
    may_contain(hash(bytes), out);
  }
  void may_contain(std::nullptr_t, std::span<std::uint64_t>) const = delete;
  template <single_key T>
  requires(!detail::taken_as_is<const T&>) void may_contain(
      const T& x, std::span<std::uint64_t> out) const noexcept {
    may_contain(hash(x), out);
  }

  // The same for many keys: words() words for the first key, then for the second ...
  // REQUIRES: out.size() == words() * ks.size()
  void may_contain(std::span<const key> ks, std::span<std::uint64_t> out) const noexcept;

 private:
  filter_set(pages views, std::size_t count, block_profile profile, bool in_cache,
             bloomery::hasher h) noexcept
      : views_(std::move(views)),
        count_(count),
        profile_(profile),
        in_cache_(in_cache),
        hasher_(h) {}

  pages views_;  // where each filter's blocks lie, side by side
  std::size_t count_;
  block_profile profile_;
  bool in_cache_;
  bloomery::hasher hasher_;
};

extern template class filter_set<block_bloom>;
extern template class filter_set<split_block_bloom>;

}  // namespace bloomery::inline v1
