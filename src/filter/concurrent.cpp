#include <bloomery/concurrent.hpp>

#include <algorithm>
#include <bit>
#include <cassert>

#include <bloomery/filter.hpp>

#include "filter/hashed_groups.hpp"

namespace bloomery::inline v1 {

static_assert(insertable<concurrent<block_bloom>>);
static_assert(insertable<concurrent<block_bloom, locked>>);
static_assert(insertable<concurrent<split_block_bloom>>);
static_assert(insertable<concurrent<bloom>>);
static_assert(insertable<concurrent<portable_bloom>>);
static_assert(mergeable<concurrent<block_bloom>>);

namespace {

// Locks of four bytes each stay small beside the filter, and there are enough that two
// threads rarely meet.  Those of lines are taken for every insert: spread over few cache
// lines these would go back and forth between the cores (docs/dead_ends.md).
std::size_t key_locks(std::size_t bytes) noexcept {
  return std::bit_floor(std::clamp<std::size_t>(bytes / 256, 16, 4096));
}
std::size_t line_locks(std::size_t bytes) noexcept {
  return std::bit_floor(std::clamp<std::size_t>(bytes / 64, 16, 65536));
}

}  // namespace

template <class F, class Policy>
result<concurrent<F, Policy>> concurrent<F, Policy>::make(params p) noexcept {
  auto made = F::make(p);
  if (!made) return made.error();
  return adopt(*std::move(made));
}

template <class F, class Policy>
result<concurrent<F, Policy>> concurrent<F, Policy>::adopt(F f) noexcept {
  const std::size_t bytes = f.size_in_bytes();
  auto keys = stripe_locks<>::make(key_locks(bytes));
  if (!keys) return keys.error();
  auto lines = stripe_locks<>::make(std::same_as<Policy, locked> ? line_locks(bytes) : 1);
  if (!lines) return lines.error();
  return concurrent(std::move(f), *std::move(keys), *std::move(lines));
}

template <class F, class Policy>
result<concurrent<F, Policy>> concurrent<F, Policy>::empty_like() const noexcept {
  auto made = shared::empty_like(filter_);
  if (!made) return made.error();
  return adopt(*std::move(made));
}

template <class F, class Policy>
void concurrent<F, Policy>::insert(std::span<const std::string_view> ks) noexcept {
  for_each_hashed_group(
      filter_.hasher(), ks,
      [this](std::span<const key> some, std::size_t) noexcept { insert(some); });
}

template <class F, class Policy>
void concurrent<F, Policy>::insert_if_absent(std::span<const key> ks,
                                             std::span<bool> first) noexcept {
  assert(first.size() == ks.size());
  constexpr std::size_t group = 32;
  shared::fetch(filter_, ks.first(std::min(group, ks.size())));
  for (std::size_t i = 0; i < ks.size(); i += group) {
    const std::size_t next = std::min(i + group, ks.size());
    shared::fetch(filter_, ks.subspan(next, std::min(group, ks.size() - next)));
    for (std::size_t j = i; j < next; ++j) first[j] = insert_if_absent(ks[j]);
  }
}

template <class F, class Policy>
result<F> concurrent<F, Policy>::snapshot() const noexcept {
  auto copy = shared::empty_like(filter_);
  if (copy)
    words::copy(shared::data(*copy), filter_.bytes().data(), filter_.size_in_bytes());
  return copy;
}

#define BLOOMERY_CONCURRENT(...) template class concurrent<__VA_ARGS__>
BLOOMERY_CONCURRENT(block_bloom);
BLOOMERY_CONCURRENT(split_block_bloom);
BLOOMERY_CONCURRENT(bloom);
BLOOMERY_CONCURRENT(portable_bloom);
BLOOMERY_CONCURRENT(block_bloom, locked);
BLOOMERY_CONCURRENT(split_block_bloom, locked);
#undef BLOOMERY_CONCURRENT

}  // namespace bloomery::inline v1
