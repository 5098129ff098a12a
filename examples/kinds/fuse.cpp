// A set that never changes, looked up one by one: built from all keys, here integers.
#include <iostream>
#include <ranges>

#include <bloomery/fuse.hpp>

int main() {
  const auto squares =
      std::views::iota(0, 40'000) | std::views::transform([](int i) { return i * i; });
  const auto ids = bloomery::fuse::integers::build(squares, {.fpr = 0.01}).value();
  std::cout << 8 * ids.size_in_bytes() / 40'000 << " bits per key, rate "
            << ids.realised_fpr() << '\n';
  return ids.may_contain(16) && !ids.may_contain(17) ? 0 : 1;
}
