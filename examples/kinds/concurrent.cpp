// One filter for all threads.  Each id is new to one of them (a false positive: to none).
#include <atomic>
#include <iostream>
#include <thread>

#include <bloomery/concurrent.hpp>

int main() {
  using filter = bloomery::concurrent<bloomery::block_bloom>::integers;
  auto seen = filter::make({.keys = 10'000, .fpr = 1e-6}).value();
  std::atomic<int> first = 0;
  const auto work = [&] {
    for (int id = 0; id < 10'000; ++id) first += seen.insert_if_absent(id);
  };
  std::thread other(work);
  work();
  other.join();
  std::cout << first << " of 10000 new\n";
  return first > 9'990 && first <= 10'000 ? 0 : 1;
}
