#include <bloomery/cuckoo.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "filter/sort_distinct.hpp"
#include "kind/cuckoo/build.hpp"
#include "kind/cuckoo/kernel/loops.hpp"
#include "kind/cuckoo/kernel/vectors.hpp"
#include "kind/cuckoo/table_of.hpp"

namespace bloomery::inline v1 {

static_assert(filter<cuckoo>);
static_assert(bounded<cuckoo> && !insertable<cuckoo>);
static_assert(identified<cuckoo> && damageable<cuckoo>);
static_assert(erasable<cuckoo>);
static_assert(counting<cuckoo>);
static_assert(buildable<cuckoo> && !build_only<cuckoo>);

namespace {

error corrupt_bytes() noexcept {
  return {errc::corrupt, "bytes of this key are damaged: the filter is not changed"};
}
error refusal(kernel::cuckoo_outcome why) noexcept {
  if (why == kernel::cuckoo_outcome::too_many_copies)
    return {errc::too_many_copies, "the key, or others like it, is in the filter 8 times",
            0, cuckoo_probe::max_copies + 1, cuckoo_probe::max_copies};
  return {errc::full, "there is no room for the key"};
}

// Null if it does not pay, or if there is no memory for it: the filter works without.
cuckoo_offsets make_offsets(const cuckoo_probe& probe) noexcept {
  if (!cuckoo_offsets_pay(probe)) return nullptr;
  const std::size_t tags = std::size_t{1} << probe.tag_bits();
  cuckoo_offsets all(new (std::nothrow) std::uint32_t[tags]);
  if (all == nullptr) return all;
  for (std::uint32_t tag = 0; tag < tags; ++tag)
    all[tag] = static_cast<std::uint32_t>(probe.offset(tag));
  return all;
}

}  // namespace

cuckoo::cuckoo(cuckoo_layout layout, std::uint64_t keys, bloomery::hasher h,
               std::uint64_t identity, pages store, damage_set damage) noexcept
    : probe_(layout.buckets, layout.tag_bits),
      store_(std::move(store)),
      keys_(keys),
      receipts_(identity),
      hasher_(h),
      damage_(std::move(damage)),
      offsets_(make_offsets(probe_)) {
  if (damage_.stays_empty()) quick_ = offsets_.get();
}

result<cuckoo> cuckoo::make(params p) noexcept {
  const auto layout = size_cuckoo_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return make(*layout, p.keys, p.hasher, p.identity);
}

result<cuckoo> cuckoo::make(cuckoo_layout layout, std::uint64_t keys, bloomery::hasher h,
                            std::uint64_t identity) noexcept {
  const auto [buckets, tag_bits] = layout;
  if (buckets < 2 || buckets % 2 != 0)
    return error{errc::invalid_argument, "a cuckoo filter has an even number of buckets",
                 0, static_cast<double>(buckets), 2};
  if (tag_bits < cuckoo_probe::min_tag_bits)
    return error{errc::invalid_argument, "tags have at least 6 bits", 0,
                 static_cast<double>(tag_bits), cuckoo_probe::min_tag_bits};
  if (tag_bits > cuckoo_probe::max_tag_bits)
    return error{errc::too_large, "tags have at most 32 bits", 0,
                 static_cast<double>(tag_bits), cuckoo_probe::max_tag_bits};
  if (buckets > cuckoo_probe::max_buckets(tag_bits))
    return error{errc::too_large, "more buckets than a filter can have", 0,
                 static_cast<double>(buckets),
                 static_cast<double>(cuckoo_probe::max_buckets(tag_bits))};
  auto store = pages::make(
      static_cast<std::size_t>(cuckoo_probe(buckets, tag_bits).size_in_bytes()));
  if (!store) return store.error();
  return cuckoo(layout, keys, h, identity, *std::move(store), {});
}

// Ascending, since the first bucket of a key ascends with it: the filter is filled from
// one end to the other, and the bytes are those of the set of keys.
result<cuckoo> cuckoo::build(std::span<const key> ks, params p) noexcept {
  const auto sorted = sort_distinct(ks, 1);
  if (!sorted) return sorted.error();
  const auto distinct = sorted->keys;
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, distinct.size());
  if (distinct.size() > p.keys)
    return error{errc::full, "more distinct keys than the filter is sized for", 0,
                 static_cast<double>(distinct.size()), static_cast<double>(p.keys)};
  const auto layout = size_cuckoo_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return build_cuckoo(*layout, 2 * layout->buckets, distinct, p.keys, p.hasher,
                      p.identity);
}

bool cuckoo::is_damaged(std::uint64_t bucket) const noexcept {
  const cuckoo_span at = span_of(bucket, tag_bits());
  return damage_.touches(at.first, at.bytes);
}

bool cuckoo::find_damaged(key k) const noexcept {
  const auto p = probe_.start(k);
  if (is_damaged(p)) return true;
  return with_table(probe_, offsets_.get(), store_.data(),
                    [&](const auto& t) { return t.has(p); });
}

void cuckoo::find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_damaged(ks[i]);
    return;
  }
  const std::byte* const data = store_.data();
  std::size_t done = 0;
  const bool beyond_l2 = store_.size() > base::caches().l2;
  if (kernel::can_query_avx512(probe_))
    done = kernel::query_avx512(probe_, offsets_.get(), data, ks, out.data(), beyond_l2);
  else if (kernel::can_query_avx2(probe_))
    done = kernel::query_avx2(probe_, offsets_.get(), data, ks, out.data(), beyond_l2);
  // Up to the last cache, prefetching takes longer than it saves here.
  const bool far = store_.size() > base::caches().l3;
  with_table(probe_, offsets_.get(), data, [&](const auto& t) {
    kernel::query(t, ks.subspan(done), out.data() + done, far);
  });
}

const char* cuckoo::kernel_name() noexcept {
  constexpr cuckoo_probe usual(2, 12);
  return kernel::can_query_avx512(usual) ? "avx512"
         : kernel::can_query_avx2(usual) ? "avx2"
                                         : "portable";
}

std::uint64_t cuckoo::copies_of(key k) const noexcept {
  const auto p = probe_.start(k);
  if (is_damaged(p)) return cuckoo_probe::max_copies;
  return with_table(probe_, offsets_.get(), store_.data(),
                    [&](const auto& t) { return kernel::count(t, p); });
}

// Alone what most inserts are, in a function that need not save registers.
result<void> cuckoo::try_add(key k) noexcept {
  if (quick_ == nullptr) [[unlikely]]
    return try_add_checked(k);
  cuckoo_probe::place p;
  if (with_quick_table([k, &p](const auto& t) noexcept {
        p = t.start(k);
        return kernel::insert_at_once(t, p);
      })) [[likely]]
    return {};
  return try_add_by_moving(p.first, p.second, p.tag);
}

result<void> cuckoo::try_add_by_moving(std::uint64_t first, std::uint64_t second,
                                       std::uint32_t tag) noexcept {
  auto why = kernel::cuckoo_outcome::done;
  with_quick_table([&](const auto& t) noexcept {
    why = kernel::insert_by_moving(t, first, second, tag);
    return true;
  });
  if (why != kernel::cuckoo_outcome::done) [[unlikely]]
    return refusal(why);
  return {};
}

result<void> cuckoo::try_add_checked(key k) noexcept {
  if (!damage_.empty()) [[unlikely]] {
    const auto p = probe_.start(k);
    if (is_damaged(p)) return corrupt_bytes();
    const auto usable = [this](std::uint64_t b) noexcept { return !is_damaged(b); };
    const auto why =
        with_table(probe_, offsets_.get(), store_.data(),
                   [&](const auto& t) { return kernel::insert(t, p, usable); });
    if (why != kernel::cuckoo_outcome::done) return refusal(why);
    return {};
  }
  const auto why = with_table(probe_, offsets_.get(), store_.data(), [&](const auto& t) {
    return kernel::insert(t, t.start(k));
  });
  if (why != kernel::cuckoo_outcome::done) [[unlikely]]
    return refusal(why);
  return {};
}

std::size_t cuckoo::try_add_each(std::span<const key> ks) noexcept {
  if (!damage_.empty()) [[unlikely]] {
    std::size_t in = 0;
    while (in < ks.size() && try_add(ks[in])) ++in;
    return in;
  }
  return with_table(probe_, offsets_.get(), store_.data(),
                    [ks](const auto& t) { return kernel::insert_each(t, ks); });
}

result<void> cuckoo::remove(key k) noexcept {
  if (quick_ != nullptr) [[likely]]
    if (with_quick_table([k](const auto& t) noexcept {
          return kernel::erase(t, t.start(k));
        })) [[likely]]
      return {};
  return remove_checked(k);
}

result<void> cuckoo::remove_checked(key k) noexcept {
  const auto p = probe_.start(k);
  if (is_damaged(p)) return corrupt_bytes();
  const bool erased = with_table(probe_, offsets_.get(), store_.data(),
                                 [&](const auto& t) { return kernel::erase(t, p); });
  if (!erased) return error{errc::not_present, "the key is not in the filter"};
  return {};
}

result<std::size_t> cuckoo::remove_each(std::span<const key> ks,
                                        std::span<bool> erased) noexcept {
  std::size_t gone = 0;
  const std::size_t done =
      with_table(probe_, offsets_.get(), store_.data(), [&](const auto& t) {
        return kernel::change_each(
            t, ks, [](std::span<const cuckoo_probe::place>) noexcept {},
            [&](std::size_t i, const cuckoo_probe::place& p) noexcept {
              if (is_damaged(p)) return false;
              erased[i] = kernel::erase(t, p);
              gone += erased[i];
              return true;
            });
      });
  if (done == ks.size()) return gone;
  std::ranges::fill(erased.subspan(done), false);
  return corrupt_bytes();
}

std::uint64_t cuckoo::receipt_scope() const noexcept {
  return bloomery::receipt_scope(static_cast<std::uint8_t>(kind.number), buckets(),
                                 tag_bits(), identity());
}

// What is damaged is trusted again: nothing is left of it.
void cuckoo::clear() noexcept {
  receipts_ = {};  // those issued before are for keys that are gone
  std::memset(store_.data(), 0, store_.size());
  damage_ = {};
  quick_ = offsets_.get();
}

std::uint64_t cuckoo::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

cuckoo cuckoo::with_store(pages store) const noexcept {
  return {layout(), keys_, hasher_, identity(), std::move(store), {}};
}

}  // namespace bloomery::inline v1
