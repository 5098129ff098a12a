#include "comparison/threads.hpp"

namespace bloomery::bench {

thread_group::thread_group(unsigned threads) {
  for (unsigned t = 1; t < threads; ++t)
    others_.emplace_back([this, t] { wait_for_work(t); });
}

thread_group::~thread_group() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : others_) t.join();
}

void thread_group::ready() {
  awake_ = 0;
  done_ = 0;
  sum_ = 0;
  {
    const std::lock_guard lock(mutex_);
    ++calls_;
  }
  wake_.notify_all();
  while (awake_ != others_.size()) std::this_thread::yield();
}

std::uint64_t thread_group::run(const std::function<std::uint64_t(unsigned)>& work) {
  work_ = &work;
  ++started_;  // publishes work_
  const std::uint64_t mine = work(0);
  while (done_ != others_.size()) continue;
  return mine + sum_;
}

void thread_group::wait_for_work(unsigned me) {
  for (unsigned call = 1;; ++call) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return leave_ || calls_ >= call; });
      if (leave_) return;
    }
    ++awake_;
    while (started_ != call) continue;
    sum_ += (*work_)(me);
    ++done_;
  }
}

}  // namespace bloomery::bench
