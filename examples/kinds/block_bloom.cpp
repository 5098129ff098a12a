// The default.  Sized, filled and saved; two threads build one from all keys at once.
#include <iostream>
#include <string>
#include <vector>

#include <bloomery/block_bloom.hpp>

int main() {
  auto seen = bloomery::block_bloom::make({.keys = 1'000'000, .fpr = 0.01}).value();
  seen.insert("alice");
  const bool is_new = seen.insert_if_absent("bob");
  seen.save("seen.bloom").value();
  const auto loaded = bloomery::block_bloom::load("seen.bloom").value();

  const std::vector<std::string> names{"alice", "bob", "carol"};
  const auto built = bloomery::block_bloom::build(names, {.fpr = 0.001}, 2).value();
  std::cout << built.size_in_bytes() << " bytes, rate " << built.realised_fpr() << '\n';
  return is_new && loaded.may_contain("bob") && built.may_contain("carol") ? 0 : 1;
}
