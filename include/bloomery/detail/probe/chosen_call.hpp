// A pointer to the best function for this CPU, which threads may choose at the same time:
// they all store the same one.  A std::atomic with relaxed order, without <atomic>, which
// would cost every file that includes a filter half as much as the rest of it
// (tools/compile_times.py).
#pragma once

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

template <class Call>
class chosen_call {
 public:
  constexpr chosen_call(Call first) noexcept : call_(first) {}
  chosen_call(const chosen_call&) = delete;

  BLOOMERY_INLINE Call load() const noexcept {
    return __atomic_load_n(&call_, __ATOMIC_RELAXED);
  }
  void store(Call chosen) noexcept { __atomic_store_n(&call_, chosen, __ATOMIC_RELAXED); }

 private:
  Call call_;
};

}  // namespace bloomery::inline v1
