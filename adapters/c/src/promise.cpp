// What the portable format can promise.
#include <algorithm>
#include <limits>

#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "structs.hpp"

using namespace bloomery::c_abi;
using bloomery::errc;
using bloomery::portable_promise;
using bloomery::result;

static_assert(static_cast<int>(portable_promise::cause::double_hashing) ==
              BLOOMERY_PROMISE_DOUBLE_HASHING);
static_assert(static_cast<int>(portable_promise::cause::short_halves) ==
              BLOOMERY_PROMISE_SHORT_HALVES);

bloomery_status bloomery_portable_promise(std::uint64_t bits, std::uint32_t hashes,
                                          std::uint64_t keys, double asked_fpr,
                                          bloomery_promise* promise,
                                          bloomery_error* error) {
  return fill_struct(promise, error, [&]() -> result<bloomery_promise> {
    if (bits == 0 || hashes == 0)
      return bloomery::error{errc::invalid_argument,
                             "a filter needs at least one bit and one hash"};
    if (!(asked_fpr > 0 && asked_fpr < 1))
      return bloomery::error{errc::invalid_argument, "a rate lies between 0 and 1", 0,
                             asked_fpr};
    const auto p = bloomery::promise_of({bits, hashes}, keys, asked_fpr);
    return bloomery_promise{0,
                            static_cast<std::uint32_t>(p.why),
                            asked_fpr,
                            p.true_fpr,
                            p.ratio(),
                            p.is_kept(),
                            p.is_refused(keys)};
  });
}

double bloomery_portable_smallest_kept_fpr(std::uint64_t keys) {
  return bloomery::smallest_kept_fpr(keys);
}

double bloomery_portable_expected_fpr(std::uint64_t bits, std::uint32_t hashes,
                                      std::uint64_t keys) {
  if (bits == 0 || hashes == 0) return std::numeric_limits<double>::quiet_NaN();
  // A walk over m bits repeats itself after m steps.
  const auto probes = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes, bits));
  return bloomery::model::portable_fpr(bits, probes, static_cast<double>(keys));
}
