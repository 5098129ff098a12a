#include "base/team.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace bloomery::base {
namespace {

struct job {
  void (*work)(void*, unsigned) noexcept;
  void* context;
  unsigned members;
  std::atomic<unsigned> next{0};
};

// Takes shares until none is left, so a thread the system refused is not missed.
void* take_shares(void* arg) noexcept {
  auto& j = *static_cast<job*>(arg);
  for (unsigned m; (m = j.next.fetch_add(1, std::memory_order_relaxed)) < j.members;)
    j.work(j.context, m);
  return nullptr;
}

}  // namespace

void run_team(unsigned members, void (*work)(void*, unsigned) noexcept,
              void* context) noexcept {
  std::array<pthread_t, 256> helpers;
  const unsigned wanted =
      std::min<unsigned>(members - 1, static_cast<unsigned>(helpers.size()));
  job j{work, context, members};
  unsigned started = 0;
  while (started < wanted &&
         pthread_create(&helpers[started], nullptr, take_shares, &j) == 0)
    ++started;
  take_shares(&j);
  for (unsigned i = 0; i < started; ++i) pthread_join(helpers[i], nullptr);
}

}  // namespace bloomery::base
