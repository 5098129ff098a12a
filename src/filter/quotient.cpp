#include <bloomery/quotient.hpp>

#include <algorithm>
#include <cstring>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/quotient_damage.hpp"
#include "filter/quotient_refusal.hpp"
#include "kernel/quotient.hpp"

namespace bloomery::inline v1 {

static_assert(filter<quotient>);
static_assert(bounded<quotient> && !insertable<quotient>);
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

result<quotient> quotient::clone() const noexcept {
  if (!damage_.empty())
    return error{errc::corrupt, "bytes of this filter are damaged: it is not copied"};
  auto copy = empty_like();
  if (copy) std::memcpy(copy->store_.data(), store_.data(), store_.size());
  return copy;
}

bool quotient::may_contain_damaged(key k) const noexcept {
  return damaged_runs(layout_, store_.data(), damage_)
      .may_contain(layout_.fingerprint(k));
}

void quotient::may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
  detail::require_answers(ks.size(), out.size());
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain_damaged(ks[i]);
    return;
  }
  best_quotient_kernel().query(layout_, store_.data(), ks.data(), ks.size(), out.data());
}

void quotient::may_contain(std::span<const std::string_view> ks,
                           std::span<bool> out) const noexcept {
  detail::require_answers(ks.size(), out.size());
  for_each_hashed_group(hasher_, ks,
                        [&](std::span<const key> some, std::size_t first) noexcept {
                          may_contain(some, out.subspan(first, some.size()));
                        });
}

const char* quotient::kernel_name() noexcept { return best_quotient_kernel().name; }

std::uint64_t quotient::count(key k) const noexcept {
  if (damage_.empty())
    return best_quotient_kernel().count(layout_, store_.data(), k.bits());
  const auto runs = damaged_runs(layout_, store_.data(), damage_);
  const std::uint64_t f = layout_.fingerprint(k);
  const quotient_run run = runs.find(f >> remainder_bits());
  if (run.state == run_state::unknown) return unknown_count;
  if (run.state == run_state::none) return 0;
  return runs.count_in(run, f & ((std::uint64_t{1} << remainder_bits()) - 1));
}

result<void> quotient::try_insert(key k) noexcept {
  if (!damage_.empty()) [[unlikely]]
    return damaged_filter();
  const auto why = best_quotient_kernel().insert(layout_, store_.data(), k.bits());
  if (why != quotient_result::done) [[unlikely]]
    return quotient_refusal(why);
  return {};
}

std::size_t quotient::try_insert(std::span<const key> ks) noexcept {
  if (!damage_.empty()) return 0;
  return best_quotient_kernel().insert_many(layout_, store_.data(), ks.data(), ks.size());
}

std::size_t quotient::try_insert(std::span<const std::string_view> ks) noexcept {
  std::size_t in = 0;
  bool refused = false;
  for_each_hashed_group(hasher_, ks,
                        [&](std::span<const key> some, std::size_t) noexcept {
                          if (refused) return;
                          const std::size_t n = try_insert(some);
                          in += n;
                          refused = n != some.size();
                        });
  return in;
}

result<receipt> quotient::try_insert_with_receipt(key k) noexcept {
  if (auto in = try_insert(k); !in) return in.error();
  return receipt::issue(hasher_, k, scope());
}

result<void> quotient::erase(receipt&& r) noexcept {
  const auto k = r.key_for(hasher_, scope());
  if (!k) return k.error();
  auto erased = erase_present(*k);
  if (erased) r.use_up();
  return erased;
}

result<void> quotient::erase_present(key k) noexcept {
  if (!damage_.empty()) return damaged_filter();
  const auto why = best_quotient_kernel().erase(layout_, store_.data(), k.bits());
  if (why != quotient_result::done) return quotient_refusal(why);
  return {};
}

result<std::size_t> quotient::erase_present(std::span<const key> ks,
                                            std::span<bool> erased) noexcept {
  detail::require_answers(ks.size(), erased.size());
  if (!damage_.empty()) {
    std::ranges::fill(erased, false);
    return damaged_filter();
  }
  best_quotient_kernel().erase_many(layout_, store_.data(), ks.data(), ks.size(),
                                    erased.data());
  return static_cast<std::size_t>(std::ranges::count(erased, true));
}

std::uint64_t quotient::scope() const noexcept {
  return receipt_scope(static_cast<std::uint8_t>(kind.number), quotients(),
                       remainder_bits(), identity_);
}

// What is damaged is trusted again: nothing is left of it.
void quotient::clear() noexcept {
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

}  // namespace bloomery::inline v1
