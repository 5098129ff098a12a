// The bytes that a reader in any language can parse in 50 lines (spec/portable.md).
#include <iostream>
#include <string>

#include <bloomery/portable_bloom.hpp>

int main() {
  auto users = bloomery::portable_bloom::make({.keys = 1000, .fpr = 0.01}).value();
  for (int i = 0; i < 1000; ++i) users.insert("user" + std::to_string(i));
  const bloomery::pages bytes = users.encode().value();
  const auto read = bloomery::portable_bloom::decode(bytes.bytes()).value();
  std::cout << bytes.size() << " bytes, rate " << read.realised_fpr() << '\n';
  return read.may_contain("user999") && !read.may_contain("nobody") ? 0 : 1;
}
