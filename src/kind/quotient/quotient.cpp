#include <bloomery/quotient.hpp>

#include <algorithm>
#include <cstring>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "kind/quotient/damage.hpp"
#include "kind/quotient/kernel/table.hpp"
#include "kind/quotient/refusal.hpp"

namespace bloomery::inline v1 {

static_assert(filter<quotient>);
static_assert(bounded<quotient> && !insertable<quotient>);
static_assert(growable<quotient> && identified<quotient> && damageable<quotient>);
static_assert(erasable<quotient> && counting<quotient>);
static_assert(mergeable<quotient> && iterable<quotient>);
static_assert(buildable<quotient> && !build_only<quotient>);

namespace {

using kernel::best_quotient_kernel;
using kernel::quotient_result;

error damaged_filter() noexcept {
  return {errc::corrupt, "bytes of the filter are damaged: it is not changed"};
}
}  // namespace

result<quotient> quotient::make(params p) noexcept {
  const auto layout = size_quotient_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return make(*layout, p.keys, p.hasher, p.identity);
}

result<quotient> quotient::make(quotient_layout layout, std::uint64_t keys,
                                bloomery::hasher h, std::uint64_t identity) noexcept {
  if (auto ok = check_quotient_layout(layout); !ok) return ok.error();
  auto store = pages::make(static_cast<std::size_t>(layout.size_in_bytes()));
  if (!store) return store.error();
  return quotient(layout, keys, h, identity, *std::move(store), {});
}

bool quotient::find_damaged(key k) const noexcept {
  return damaged_runs(layout_, store_.data(), damage_)
      .may_contain(layout_.fingerprint(k));
}

void quotient::find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_damaged(ks[i]);
    return;
  }
  best_quotient_kernel().query(layout_, store_.data(), ks.data(), ks.size(), out.data());
}

const char* quotient::kernel_name() noexcept { return best_quotient_kernel().name; }

std::uint64_t quotient::copies_of(key k) const noexcept {
  if (damage_.empty())
    return best_quotient_kernel().count(layout_, store_.data(), k.bits());
  const auto runs = damaged_runs(layout_, store_.data(), damage_);
  const std::uint64_t f = layout_.fingerprint(k);
  const quotient_run run = runs.find(f >> remainder_bits());
  if (run.state == run_state::unknown) return unknown_count;
  if (run.state == run_state::none) return 0;
  return runs.count_in(run, f & ((std::uint64_t{1} << remainder_bits()) - 1));
}

result<void> quotient::try_add(key k) noexcept {
  if (!damage_.empty()) [[unlikely]]
    return damaged_filter();
  const auto why = best_quotient_kernel().insert(layout_, store_.data(), k.bits());
  if (why != quotient_result::done) [[unlikely]]
    return quotient_refusal(why);
  return {};
}

std::size_t quotient::try_add_each(std::span<const key> ks) noexcept {
  if (!damage_.empty()) return 0;
  return best_quotient_kernel().insert_many(layout_, store_.data(), ks.data(), ks.size());
}

result<void> quotient::remove(key k) noexcept {
  if (!damage_.empty()) return damaged_filter();
  const auto why = best_quotient_kernel().erase(layout_, store_.data(), k.bits());
  if (why != quotient_result::done) return quotient_refusal(why);
  return {};
}

result<std::size_t> quotient::remove_each(std::span<const key> ks,
                                          std::span<bool> erased) noexcept {
  if (!damage_.empty()) {
    std::ranges::fill(erased, false);
    return damaged_filter();
  }
  best_quotient_kernel().erase_many(layout_, store_.data(), ks.data(), ks.size(),
                                    erased.data());
  return static_cast<std::size_t>(std::ranges::count(erased, true));
}

std::uint64_t quotient::receipt_scope() const noexcept {
  // The same after doubling.
  return bloomery::receipt_scope(static_cast<std::uint8_t>(kind.number),
                                 layout_.fingerprints(), 0, identity());
}

// What is damaged is trusted again: nothing is left of it.
void quotient::clear() noexcept {
  receipts_ = {};  // those issued before are for keys that are gone
  std::memset(store_.data(), 0, store_.size());
  damage_ = {};
}

std::uint64_t quotient::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double quotient::expected_fpr(std::uint64_t keys) const noexcept {
  return model::quotient_fpr(static_cast<double>(layout_.fingerprints()),
                             static_cast<double>(keys));
}

quotient quotient::with_store(pages store) const noexcept {
  return {layout_, keys_, hasher_, identity(), std::move(store), {}};
}

}  // namespace bloomery::inline v1
