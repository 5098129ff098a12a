#include "base/parallel_for.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace bloomery::base {
namespace {

struct job {
  void (*work)(void*, unsigned) noexcept;
  void* context;
  unsigned shares;
  std::atomic<unsigned> next{0};
};

// Takes shares until none is left, so a thread the system refused is not missed.
void* take_shares(void* arg) noexcept {
  auto& j = *static_cast<job*>(arg);
  for (unsigned s; (s = j.next.fetch_add(1, std::memory_order_relaxed)) < j.shares;)
    j.work(j.context, s);
  return nullptr;
}

}  // namespace

void parallel_for(unsigned shares, void (*work)(void*, unsigned) noexcept,
                  void* context) noexcept {
  std::array<pthread_t, 255> helpers;
  const unsigned wanted = std::min<unsigned>(shares - 1, helpers.size());
  job j{work, context, shares};
  unsigned started = 0;
  while (started < wanted &&
         pthread_create(&helpers[started], nullptr, take_shares, &j) == 0)
    ++started;
  take_shares(&j);
  for (unsigned i = 0; i < started; ++i) pthread_join(helpers[i], nullptr);
}

}  // namespace bloomery::base
