#include <bloomery/scalable_bloom.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/absent_groups.hpp"
#include "filter/block_view.hpp"
#include "kind/scalable/lookup.hpp"
#include "model/saturated.hpp"

namespace bloomery::inline v1 {

static_assert(filter<scalable_bloom>);
static_assert(insertable<scalable_bloom>);
static_assert(bounded<scalable_bloom>);
static_assert(deduplicating<scalable_bloom>);
static_assert(buildable<scalable_bloom>);
static_assert(mergeable<scalable_bloom>);

namespace {

// Ones of the blocks in which the key has bits.
std::uint64_t ones_near(const block_shape& s, const std::byte* data, key k) noexcept {
  const std::size_t bytes = s.block_bytes();
  const auto ones_at = [&](std::uint64_t at) noexcept {
    return base::count_ones({data + at, bytes}, 8 * std::uint64_t{bytes});
  };
  const std::uint64_t first = block_offset(s, k.bits());
  if (s.choices() == 1) return ones_at(first);
  const std::uint64_t second = block_offset(s, block_probe::second(k.bits()));
  return ones_at(first) + (second == first ? 0 : ones_at(second));
}

error chain_is_full(unsigned levels) noexcept {
  return {errc::full, "all levels that the filter may have are full", 0,
          static_cast<double>(levels) + 1, static_cast<double>(levels)};
}

}  // namespace

scalable_bloom::scalable_bloom(const scalable_shape& shape, unsigned levels,
                               std::uint64_t keys, bloomery::hasher h,
                               pages store) noexcept
    : shape_(shape),
      levels_(levels),
      keys_(keys),
      hasher_(h),
      store_(std::move(store)),
      last_(blocks_of(levels - 1)),
      growth_log_(static_cast<std::uint8_t>(std::countr_zero(unsigned{shape.growth}))) {}

result<scalable_bloom> scalable_bloom::make(params p) noexcept {
  const auto shape = size_scalable_by_rate(
      p.keys, p.fpr,
      {.max_growth = p.max_growth, .growth = p.growth, .dynamic = p.dynamic}, p.profile);
  if (!shape) return shape.error();
  return make(*shape, p.keys, p.hasher);
}

result<scalable_bloom> scalable_bloom::make(const scalable_shape& shape,
                                            std::uint64_t keys,
                                            bloomery::hasher h) noexcept {
  if (auto ok = check_scalable_shape(shape); !ok) return ok.error();
  auto store = pages::make(static_cast<std::size_t>(shape.size_in_bytes(1)));
  if (!store) return store.error();
  return scalable_bloom(shape, 1, keys, h, *std::move(store));
}

result<scalable_bloom> scalable_bloom::build(std::span<const key> ks, params p) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (!made) return made;
  for (;;) {
    ks = ks.subspan(made->try_insert(ks));
    if (ks.empty()) return made;
    // Why the first of them was refused; memory may be there again.
    if (const auto in = made->try_insert(ks.front()); !in) return in.error();
    ks = ks.subspan(1);
  }
}

// --- growth ---

void scalable_bloom::know_limit() noexcept {
  if (limit_ != 0) return;
  const auto keys = static_cast<double>(scalable_level_keys(shape_, levels_ - 1));
  limit_ = std::max<std::uint64_t>(
      1, model::saturated<std::uint64_t>(model::block_ones(last_.shape, keys)));
  may_grow_ = scalable_can_grow(shape_, levels_);
}

result<void> scalable_bloom::grow() noexcept {
  if (!may_grow_) return chain_is_full(levels_);
  auto larger = pages::make_like(
      store_, static_cast<std::size_t>(shape_.size_in_bytes(levels_ + 1)));
  if (!larger) return larger.error();
  std::memcpy(larger->data(), store_.data(), size_in_bytes());
  store_ = *std::move(larger);
  last_ = blocks_of(levels_++);
  count_ = {.is_known = true};
  limit_ = 0;
  return {};
}

result<std::uint64_t> scalable_bloom::room() noexcept {
  for (;;) {
    know_limit();
    if (!count_.is_known) count_ = {.ones = ones_of(levels_ - 1), .is_known = true};
    // After so many keys the ones are still below the limit for certain.
    if (count_.ones < limit_)
      return (limit_ - count_.ones - 1) / last_.shape.hashes() + 1;
    if (auto grown = grow(); !grown) return grown.error();
  }
}

std::uint64_t scalable_bloom::room_or_more() noexcept {
  const auto some = room();
  if (some) return *some;
  is_over_ = true;
  // Memory may come back; levels do not.
  return some.error().code == errc::full ? ~std::uint64_t{0} : last_.shape.blocks;
}

void scalable_bloom::add_to_last(std::span<const key> ks) noexcept {
  const kernel::block_array last = array_of(last_.shape, last_.data);
  for_each_mixed_group(ks, [&](std::span<const key> some, std::size_t) noexcept {
    loops_of(last_.shape).insert(last, some.data(), some.size());
  });
}

// A few keys before the level is full each is counted; before that, none is.
std::size_t scalable_bloom::add_some(std::span<const key> ks,
                                     std::uint64_t room) noexcept {
  if (room >= last_.shape.size_in_bytes() / 512 + 8) {
    const std::size_t n = std::min<std::uint64_t>(room, ks.size());
    add_to_last(ks.first(n));
    count_ = {};
    slack_ = room - n;
    return n;
  }
  const key k = mixed(ks[0]);
  const std::uint64_t before = ones_near(last_.shape, last_.data, k);
  add_to_last(ks.first(1));
  count_.ones += ones_near(last_.shape, last_.data, k) - before;
  return 1;
}

// --- keys ---

void scalable_bloom::add(key k) noexcept {
  if (slack_ != 0) [[likely]] {
    --slack_;
    loops_of(last_.shape).insert_one(last_.data, last_.shape.blocks, mixed(k).bits());
    return;
  }
  add_some({&k, 1}, room_or_more());
}

void scalable_bloom::add_each(std::span<const key> ks) noexcept {
  while (!ks.empty()) {
    if (slack_ == 0) {
      ks = ks.subspan(add_some(ks, room_or_more()));
      continue;
    }
    const std::size_t n = std::min<std::uint64_t>(slack_, ks.size());
    add_to_last(ks.first(n));
    slack_ -= n;
    ks = ks.subspan(n);
  }
}

result<std::uint64_t> scalable_bloom::room_to_try() noexcept {
  if (is_over_) {
    // The last level has more than its share: only another can take keys.
    know_limit();
    if (auto grown = grow(); !grown) return grown.error();
    is_over_ = false;
    slack_ = 0;
  }
  if (slack_ != 0) return slack_;
  return room();
}

result<void> scalable_bloom::try_add(key k) noexcept {
  if (slack_ == 0 || is_over_) {
    const auto some = room_to_try();
    if (!some) return some.error();
    if (slack_ == 0) return add_some({&k, 1}, *some), result<void>();
  }
  add(k);
  return {};
}

std::size_t scalable_bloom::try_add_each(std::span<const key> ks) noexcept {
  std::size_t in = 0;
  while (in < ks.size()) {
    const auto some = room_to_try();
    if (!some) break;
    if (slack_ != 0) {
      const std::size_t n = std::min<std::uint64_t>(slack_, ks.size() - in);
      add_each(ks.subspan(in, n));
      in += n;
    } else {
      in += add_some(ks.subspan(in), *some);
    }
  }
  return in;
}

bool scalable_bloom::find(key k) const noexcept {
  k = mixed(k);
  return any_level([&](const level_blocks& b) noexcept {
    return loops_of(b.shape).may_contain(b.data, b.shape.blocks, k.bits());
  });
}

void scalable_bloom::find_each(std::span<const key> ks,
                               std::span<bool> out) const noexcept {
  level_list levels;
  any_level([&](const level_blocks& b) noexcept {
    levels.add(b.shape, b.data);
    return false;
  });
  levels.query(ks, out.data());
}

void scalable_bloom::add_each_absent(std::span<const key> ks,
                                     std::span<bool> absent) noexcept {
  insert_by_groups(
      ks, absent,
      [&](std::span<const key> some, std::span<bool> found) noexcept {
        find_each(some, found);
      },
      [&](key k) noexcept { return add_absent(k); });
}

// --- whole filters ---

void scalable_bloom::reset(unsigned levels) noexcept {
  levels_ = levels;
  last_ = blocks_of(levels - 1);
  limit_ = 0;
  slack_ = 0;
  count_ = {};
  is_over_ = false;
}

void scalable_bloom::clear() noexcept {
  std::memset(store_.data(), 0, size_in_bytes());
  // Memory that it cannot give back it keeps.
  (void)store_.shorten(static_cast<std::size_t>(shape_.size_in_bytes(1)));
  reset(1);
}

result<scalable_bloom> scalable_bloom::with_levels(const scalable_bloom& f,
                                                   unsigned levels) noexcept {
  auto store = pages::make(static_cast<std::size_t>(f.shape_.size_in_bytes(levels)));
  if (!store) return store.error();
  return scalable_bloom(f.shape_, levels, f.keys_, f.hasher_, *std::move(store));
}

result<void> scalable_bloom::merge(const scalable_bloom& other) noexcept {
  if (!(shape_ == other.shape_))
    return error{errc::incompatible, "the chains differ in shape, growth or rate", 0,
                 static_cast<double>(other.shape_.lines),
                 static_cast<double>(shape_.lines)};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  if (other.levels_ > levels_) {
    auto larger = pages::make_like(store_, other.size_in_bytes());
    if (!larger) return larger.error();
    std::memcpy(larger->data(), store_.data(), size_in_bytes());
    store_ = *std::move(larger);
  }
  base::or_into(store_.bytes().first(other.size_in_bytes()), other.bytes());
  reset(std::max(levels_, other.levels_));
  return {};
}

scalable_bloom scalable_bloom::with_store(pages store) const noexcept {
  return {shape_, levels_, keys_, hasher_, std::move(store)};
}

}  // namespace bloomery::inline v1
