// A filter in use by all threads, rebuilt from a store and replaced meanwhile.
#include <iostream>
#include <set>
#include <string>

#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

int main() {
  using filter = bloomery::concurrent<bloomery::block_bloom>;
  auto live = bloomery::live_filter<filter>::make(filter::make({.keys = 1}).value());
  if (!live) return 1;
  const std::set<std::string> store{"alice", "bob"};
  const auto all = [&](auto& put) { return put(store), bloomery::result<void>(); };
  live->rebuild({.params = {.keys = store.size(), .fpr = 0.01}}, all).value();
  live->insert("carol");  // any thread, at any time
  std::cout << live->may_contain("bob") << live->may_contain("carol") << '\n';
  return live->may_contain("bob") && live->may_contain("carol") ? 0 : 1;
}
