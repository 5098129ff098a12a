// One key against many filters: the levels of an LSM tree, the shards of a table.
//
//   auto levels = bloomery::filter_set<bloomery::block_bloom>::make(pointers);
//   const bloomery::key k = levels->hash("alice");
//   levels->may_contain(k, matches);            // bit f: filter f may have it
//
// A key is hashed once.  Its bit positions in block filters are computed once, and while
// one line is tested, those of the other filters are being prefetched.  Filters of kinds
// that are only built (ribbon, fuse, xor) are queried one after the other, each with a
// batch of keys.  All filters share one hasher, so keys cannot be mixed up.
//
// The set does not own the filters: they must outlive it, and must not be moved, folded
// or assigned to meanwhile.  Inserting into them is fine.
// Thread safety: that of the filters.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/filter/set_calls.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::inline v1 {

// F: block_bloom of one profile, or split_block_bloom.
template <class F>
class BLOOMERY_EXPORT block_filter_set : public set_calls<block_filter_set<F>> {
 public:
  // Errors: invalid_argument (no filters, a null pointer), incompatible (another hasher
  // or profile; asked: which filter), out_of_memory.
  static result<block_filter_set> make(std::span<const F* const> filters) noexcept;

  std::size_t size() const noexcept { return count_; }

  using set_calls<block_filter_set>::may_contain;
  // The same for many keys: words() words for the first key, then for the second ...
  // REQUIRES: out.size() == words() * ks.size()
  void may_contain(std::span<const key> ks, std::span<std::uint64_t> out) const noexcept;

 private:
  block_filter_set(pages views, std::size_t count, block_profile profile, bool in_cache,
                   bloomery::hasher h) noexcept
      : set_calls<block_filter_set>(h),
        views_(std::move(views)),
        count_(count),
        profile_(profile),
        in_cache_(in_cache) {}

  pages views_;  // where each filter's blocks lie, side by side
  std::size_t count_;
  block_profile profile_;
  bool in_cache_;
};

extern template class block_filter_set<block_bloom>;
extern template class block_filter_set<split_block_bloom>;

namespace detail {

// Errors: invalid_argument, incompatible (asked: which filter).
template <class F>
result<void> check_set(std::span<const F* const> filters) noexcept {
  if (filters.empty())
    return error{errc::invalid_argument, "a set needs at least one filter", 0, 0, 1};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto which = static_cast<double>(i);
    if (filters[i] == nullptr)
      return error{errc::invalid_argument, "a filter is null", 0, which};
    if (!(filters[i]->hasher() == filters.front()->hasher()))
      return error{errc::incompatible, "the filters differ in hash, seed or secret", 0,
                   which};
  }
  return {};
}

}  // namespace detail

// F: a kind that is only built.  Sizes, widths and rates of the filters may differ.
template <class F>
class static_filter_set : public set_calls<static_filter_set<F>> {
 public:
  // Errors: invalid_argument, incompatible, out_of_memory, as above.
  static result<static_filter_set> make(std::span<const F* const> filters) noexcept {
    if (auto ok = detail::check_set(filters); !ok) return ok.error();
    auto room = pages::make(filters.size_bytes());
    if (!room) return room.error();
    std::ranges::copy(filters, reinterpret_cast<const F**>(room->data()));
    return static_filter_set(*std::move(room), filters.size(), filters.front()->hasher());
  }

  std::size_t size() const noexcept { return count_; }

  using set_calls<static_filter_set>::may_contain;
  // As above.
  void may_contain(std::span<const key> ks, std::span<std::uint64_t> out) const noexcept {
    const std::size_t words = this->words();
    detail::require(out.size() / words == ks.size() && out.size() % words == 0,
                    "a batch must have exactly words() words of answers for each key");
    std::ranges::fill(out, 0);
    // Groups whose answers stay in the first-level cache.
    std::array<bool, 256> found;
    for (std::size_t first = 0; first < ks.size(); first += found.size()) {
      const auto group = ks.subspan(first, std::min(found.size(), ks.size() - first));
      for (std::size_t f = 0; f < count_; ++f) {
        filter(f).may_contain(group, std::span(found).first(group.size()));
        for (std::size_t i = 0; i < group.size(); ++i)
          out[(first + i) * words + f / 64] |= std::uint64_t{found[i]} << (f % 64);
      }
    }
  }

 private:
  static_filter_set(pages filters, std::size_t count, bloomery::hasher h) noexcept
      : set_calls<static_filter_set>(h), filters_(std::move(filters)), count_(count) {}
  const F& filter(std::size_t i) const noexcept {
    return *reinterpret_cast<const F* const*>(filters_.data())[i];
  }

  pages filters_;  // pointers
  std::size_t count_;
};

// Filters that a filter_set can hold: those of blocks, and those that are only built.
template <class F>
concept set_member = std::derived_from<F, block_storage> || build_only<F>;

template <set_member F>
using filter_set =
    std::conditional_t<build_only<F>, static_filter_set<F>, block_filter_set<F>>;

}  // namespace bloomery::inline v1
