#include <bloomery/ribbon.hpp>

#include <cstring>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/filter.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "filter/ribbon_checked.hpp"
#include "kernel/ribbon.hpp"

namespace bloomery::inline v1 {

static_assert(filter<ribbon>);
static_assert(buildable<ribbon> && build_only<ribbon>);

result<ribbon> ribbon::clone() const noexcept {
  if (!damage_.empty())
    return error{errc::corrupt, "bytes of this filter are damaged: it is not copied"};
  auto copy = pages::make(store_.size());
  if (!copy) return copy.error();
  if (store_.size() != 0) std::memcpy(copy->data(), store_.data(), store_.size());
  return ribbon(shape_, keys_, hasher_, *std::move(copy), {});
}

bool ribbon::may_contain_damaged(key k) const noexcept {
  const bool intact = may_read_ribbon(
      layout_, store_.data(), k.bits(),
      [&](std::uint64_t at, std::uint64_t bytes) { return !damage_.touches(at, bytes); });
  return !intact || kernel::best_ribbon_kernel().may_contain[form_](
                        layout_, store_.data(), k.bits());
}

void ribbon::may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
  detail::require_answers(ks.size(), out.size());
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain_damaged(ks[i]);
    return;
  }
  kernel::best_ribbon_kernel().query(layout_, store_.data(), ks.data(), ks.size(),
                                     out.data(), store_.size() > base::caches().l2);
}

void ribbon::may_contain(std::span<const std::string_view> ks,
                         std::span<bool> out) const noexcept {
  detail::require_answers(ks.size(), out.size());
  for_each_hashed_group(hasher_, ks,
                        [&](std::span<const key> some, std::size_t first) noexcept {
                          may_contain(some, out.subspan(first, some.size()));
                        });
}

const char* ribbon::kernel_name() noexcept { return kernel::best_ribbon_kernel().name; }

std::uint64_t ribbon::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

}  // namespace bloomery::inline v1
