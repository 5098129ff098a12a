// Four threads fill one filter, which is saved meanwhile; no thread is blocked.
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <bloomery/bloomery.hpp>

int main() {
  using filter = bloomery::concurrent<bloomery::block_bloom>;
  auto seen = filter::make({.keys = 400'000, .fpr = 0.01}).value();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = t; i < 400'000; i += 4) seen.insert("user" + std::to_string(i));
    });
  save_snapshot(seen, "seen.bloom").value();  // on an error the program ends with it
  for (std::thread& t : threads) t.join();
  std::cout << seen << ", about " << seen.estimated_keys() << " in it\n";
}
