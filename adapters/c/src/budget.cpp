// One budget for several filters.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "boundary.hpp"
#include "kinds.hpp"

using namespace bloomery::c_abi;
using bloomery::errc;
using bloomery::result;
using namespace bloomery::model;

bloomery_status bloomery_budget(const std::uint32_t* kinds, const std::uint64_t* keys,
                                const double* lookups, std::size_t count, double bits,
                                double* bits_per_key, double* wasted_reads,
                                bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (count != 0 && (kinds == nullptr || keys == nullptr || bits_per_key == nullptr))
      return null_argument();
    std::vector<rate_curve> curves(count);
    std::vector<budget_filter> filters(count);
    for (std::size_t i = 0; i < count; ++i) {
      const bloomery::kind_info* const kind = kinds[i] == BLOOMERY_KIND_DEFAULT
                                                  ? &bloomery::kinds().front()
                                                  : kind_numbered(kinds[i]);
      if (kind == nullptr)
        return bloomery::error{errc::unsupported, "no kind of filter has this number", i,
                               static_cast<double>(kinds[i])};
      curves[i] = rate_curve_of(*kind, keys[i]);
      filters[i] = {static_cast<double>(keys[i]), lookups == nullptr ? 1 : lookups[i],
                    &curves[i]};
    }
    const auto plan = budget(filters, bits, std::span(bits_per_key, count));
    if (!plan) return plan.error();
    if (wasted_reads != nullptr) *wasted_reads = plan->wasted_reads;
    return {};
  });
}
