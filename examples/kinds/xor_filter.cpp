// A set that never changes: three lines per lookup.  fuse is smaller and builds faster.
#include <iostream>

#include <bloomery/xor_filter.hpp>

int main() {
  const auto words = bloomery::xor_filter::build({"alpha", "beta", "gamma"});
  if (!words) return 1;
  std::cout << "beta: " << words->may_contain("beta")
            << ", delta: " << words->may_contain("delta") << '\n';
  return words->may_contain("beta") && !words->may_contain("delta") ? 0 : 1;
}
