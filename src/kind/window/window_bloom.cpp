// Window filters: block filters that take turns.
#include <bloomery/window_bloom.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/absent_groups.hpp"
#include "filter/block_census.hpp"
#include "filter/block_view.hpp"

namespace bloomery::inline v1 {

static_assert(!filter<window_bloom>);
static_assert(forgetting<window_bloom>);
static_assert(insertable<window_bloom>);
static_assert(rotatable<window_bloom>);
static_assert(deduplicating<window_bloom>);
static_assert(!mergeable<window_bloom>);

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// One generation as kernels see it; whether it is near depends on all of them.
kernel::block_array array_of(const window_shape& s, const std::byte* all,
                             std::size_t offset) noexcept {
  return {const_cast<std::byte*>(all) + offset, s.one.blocks,
          s.size_in_bytes() <= base::caches().l2};
}

}  // namespace

result<window_bloom> window_bloom::make(params p) noexcept {
  const auto shape = size_window_by_rate(p.keys, p.fpr, p.generations, p.profile);
  if (!shape) return shape.error();
  return make(*shape, p.keys, p.hasher);
}

result<window_bloom> window_bloom::make(window_shape shape, std::uint64_t keys,
                                        bloomery::hasher h) noexcept {
  if (auto ok = check_window_shape(shape); !ok) return ok.error();
  auto store = pages::make(shape.size_in_bytes());
  if (!store) return store.error();
  return window_bloom(shape, keys, h, 0, 0, *std::move(store));
}

// --- lookups ---

bool window_bloom::find(key k) const noexcept {
  const auto ask = loops_of(shape_.one).may_contain;
  for (unsigned age = 0; age < shape_.generations; ++age) {  // the newest first
    const unsigned g = (current_ + shape_.generations - age) % shape_.generations;
    if (ask(store_.data() + offset(g), shape_.one.blocks, k.bits())) return true;
  }
  return false;
}

// Generation by generation, some keys at a time: each is a batch of a block filter, which
// fetches its lines ahead.
void window_bloom::find_each(std::span<const key> ks,
                             std::span<bool> out) const noexcept {
  const auto query = loops_of(shape_.one).query;
  std::array<bool, absent_group> found;
  for (std::size_t at = 0; at < ks.size(); at += found.size()) {
    const std::size_t n = std::min(found.size(), ks.size() - at);
    for (unsigned g = 0; g < shape_.generations; ++g) {
      const auto one = array_of(shape_, store_.data(), offset(g));
      if (g == 0) {
        query(one, &ks[at], n, &out[at]);
        continue;
      }
      query(one, &ks[at], n, found.data());
      for (std::size_t i = 0; i < n; ++i) out[at + i] |= found[i];
    }
  }
}

// --- inserts ---

void window_bloom::rotate() noexcept {
  current_ = (current_ + 1) % shape_.generations;
  std::memset(store_.data() + offset(current_), 0,
              static_cast<std::size_t>(shape_.one.size_in_bytes()));
  count_ = 0;
}

std::size_t window_bloom::room_for(std::size_t wanted) noexcept {
  if (shape_.generation_keys == 0) return wanted;
  if (count_ >= shape_.generation_keys) rotate();
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(wanted, shape_.generation_keys - count_));
}

void window_bloom::count_inserts(std::uint64_t n) noexcept {
  count_ = n > most - count_ ? most : count_ + n;
}

void window_bloom::add_each(std::span<const key> ks) noexcept {
  while (!ks.empty()) {
    const std::size_t n = room_for(ks.size());
    loops_of(shape_.one)
        .insert(array_of(shape_, store_.data(), offset(current_)), ks.data(), n);
    count_inserts(n);
    ks = ks.subspan(n);
  }
}

// What is found stays found, while no generation is emptied; of what is not, only the
// current generation changes its answer.
void window_bloom::add_each_absent(std::span<const key> ks,
                                   std::span<bool> absent) noexcept {
  const kernel::block_loops& loops = loops_of(shape_.one);
  while (!ks.empty()) {
    const std::size_t n = room_for(std::min(ks.size(), absent_group));
    find_each(ks.first(n), absent.first(n));
    std::byte* const current = store_.data() + offset(current_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t h = ks[i].bits();
      absent[i] = !absent[i] && !loops.may_contain(current, shape_.one.blocks, h);
      loops.insert_one(current, shape_.one.blocks, h);
    }
    count_inserts(n);
    ks = ks.subspan(n);
    absent = absent.subspan(n);
  }
}

// --- whole filters ---

void window_bloom::clear() noexcept {
  std::memset(store_.data(), 0, store_.size());
  current_ = 0;
  count_ = 0;
}

// --- what it is, from its bits ---

std::uint64_t window_bloom::retained() const noexcept {
  if (shape_.generation_keys == 0) return most;
  __extension__ using u128 = unsigned __int128;
  const u128 all = u128{shape_.generation_keys} * (shape_.generations - 1) + count_;
  return all > most ? most : static_cast<std::uint64_t>(all);
}

retention window_bloom::retention() const noexcept {
  if (shape_.generation_keys == 0)
    return {.keys = retained(), .is_exact = true, .generations = generations()};
  return {.keys = retained(), .is_exact = true};
}

std::uint64_t window_bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double window_bloom::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

double window_bloom::estimated_keys(unsigned generation) const noexcept {
  return model::block_keys(shape_.one, static_cast<double>(base::count_ones(
                                           bytes(generation), shape_.one.bits())));
}

double window_bloom::estimated_keys() const noexcept {
  double sum = 0;
  for (unsigned g = 0; g < shape_.generations; ++g) sum += estimated_keys(g);
  return sum;
}

double window_bloom::realised_fpr(unsigned generation) const noexcept {
  return rate_of_blocks(shape_.one, bytes(generation).data(), 1, 1);
}

double window_bloom::realised_fpr() const noexcept {
  std::array<block_array, window_shape::max_generations> all;
  for (unsigned g = 0; g < shape_.generations; ++g)
    all[g] = {shape_.one, bytes(g).data()};
  return rate_of_any(std::span(all).first(shape_.generations));
}

double window_bloom::expected_fpr(std::uint64_t inserts) const noexcept {
  return model::window_fpr(shape_.one, shape_.generations, shape_.generation_keys,
                           inserts);
}

window_bloom window_bloom::with_store(pages store) const noexcept {
  return {shape_, keys_, hasher_, current_, count_, std::move(store)};
}

}  // namespace bloomery::inline v1
