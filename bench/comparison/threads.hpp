// Some threads that start together.
//
// They are woken before the clock runs and wait for the start with open eyes: waking a
// thread takes longer than many a measurement.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bloomery::bench {

class thread_group {
 public:
  explicit thread_group(unsigned threads);  // the caller is one of them
  ~thread_group();

  void ready();  // wakes the others; `run` must follow
  // work(t) in each thread t of [0, threads), the caller's being 0; the sum of the
  // answers.
  std::uint64_t run(const std::function<std::uint64_t(unsigned)>& work);
  unsigned size() const noexcept { return static_cast<unsigned>(others_.size()) + 1; }

 private:
  void wait_for_work(unsigned me);

  std::mutex mutex_;
  std::condition_variable wake_;
  unsigned calls_ = 0;  // how often `ready` was called, under the mutex
  bool leave_ = false;
  std::atomic<unsigned> awake_{0}, started_{0}, done_{0};
  std::atomic<std::uint64_t> sum_{0};
  const std::function<std::uint64_t(unsigned)>* work_ = nullptr;
  std::vector<std::thread> others_;
};

}  // namespace bloomery::bench
