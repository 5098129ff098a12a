// Threads that start together, for tests.
#pragma once

#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

namespace bloomery::testing {

// work(0) .. work(n - 1), each on a thread of its own, all let go at once.
template <class Work>
void with_threads(std::size_t n, Work work) {
  std::barrier start(static_cast<std::ptrdiff_t>(n));
  std::vector<std::jthread> crew;
  for (std::size_t t = 0; t < n; ++t)
    crew.emplace_back([&, t] {
      start.arrive_and_wait();
      work(t);
    });
}

// Race detectors make everything ten times slower: they need less of it.
#if defined(BLOOMERY_STRICT_ATOMICS)
inline constexpr std::size_t fewer = 20;
#else
inline constexpr std::size_t fewer = 1;
#endif

}  // namespace bloomery::testing
