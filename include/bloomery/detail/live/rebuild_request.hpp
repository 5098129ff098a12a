// What a rebuild is to make, and what it must have shown before it may serve.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <bloomery/detail/base/durations.hpp>

namespace bloomery::inline v1 {

struct rebuild_progress {
  std::uint64_t delivered = 0;  // keys the source has given, repetitions included
  std::uint64_t expected = 0;   // what the request says it has
  std::chrono::nanoseconds elapsed{0};
};

// Called between batches, on the thread that rebuilds.  May sleep: that is the source's
// and the readers' relief.  False stops the rebuild.
struct rebuild_pause {
  bool (*call)(void* context, const rebuild_progress& now) = nullptr;
  void* context = nullptr;
};

// Params: those of the filter.  Sentinel: how its keys are named, key or string_view.
template <class Params, class Sentinel>
struct rebuild_request {
  // The parameters of the new generation; `params.keys` is how many distinct keys it will
  // have.
  Params params;
  // A source that ends before it gave so many has lost some, and would make false
  // negatives.  Not said: 99 % of params.keys.
  std::optional<std::uint64_t> min_keys{};
  // The rate, from its bits, above which the new one does not serve.  0: 1.5 times
  // params.fpr.
  double max_fpr = 0;
  // Keys that are known to be in the source: each must be found.
  std::span<const Sentinel> sentinels{};
  // 0: as fast as the source gives them.
  double max_keys_per_second = 0;
  rebuild_pause pause{};
};

}  // namespace bloomery::inline v1
