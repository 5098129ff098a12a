#include <bloomery/ribbon.hpp>

#include <bloomery/filter.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "kind/ribbon/checked.hpp"
#include "kind/ribbon/kernel/table.hpp"

namespace bloomery::inline v1 {

static_assert(filter<ribbon>);
static_assert(buildable<ribbon> && build_only<ribbon>);
static_assert(buildable_by_threads<ribbon> && damageable<ribbon>);

bool ribbon::find_damaged(key k) const noexcept {
  const bool intact = may_read_ribbon(
      layout_, store_.data(), k.bits(),
      [&](std::uint64_t at, std::uint64_t bytes) { return !damage_.touches(at, bytes); });
  return !intact || kernel::best_ribbon_kernel().may_contain[form_](
                        layout_, store_.data(), k.bits());
}

void ribbon::find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_damaged(ks[i]);
    return;
  }
  kernel::best_ribbon_kernel().query(layout_, store_.data(), ks.data(), ks.size(),
                                     out.data(), store_.size() > base::caches().l2);
}

const char* ribbon::kernel_name() noexcept { return kernel::best_ribbon_kernel().name; }

std::uint64_t ribbon::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

ribbon ribbon::with_store(pages store) const noexcept {
  return {shape_, keys_, hasher_, std::move(store), {}};
}

}  // namespace bloomery::inline v1
