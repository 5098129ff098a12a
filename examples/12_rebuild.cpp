// A filter before a store, rebuilt from it while all threads go on asking.
#include <iostream>
#include <set>
#include <string>

#include <bloomery/bloomery.hpp>

int main() {
  using filter = bloomery::concurrent<bloomery::block_bloom>;
  auto first = filter::make({.keys = 1}).value();
  auto live = bloomery::live_filter<filter>::make(std::move(first)).value();
  const std::set<std::string> store{"alice", "bob", "carol"};
  const auto names = [&](auto& put) -> bloomery::result<void> {
    put(store);
    return {};  // an error of the store, returned here, would keep the old filter
  };
  live.rebuild({.params = {.keys = store.size(), .fpr = 0.01}}, names).value();
  std::cout << "bob: " << (live.may_contain("bob") ? "possibly" : "not") << " present\n";
}
