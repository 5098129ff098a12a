// A stream without an end: old keys fade, and the rate stays where it is.
#include <iostream>

#include <bloomery/stable_bloom.hpp>

int main() {
  // A key is still found after 1000 inserts of others, but for 1 % of such keys.
  using filter = bloomery::stable_bloom::integers;
  auto recent = filter::make({.keys = 1000, .fpr = 0.01, .forgotten = 0.01}).value();
  for (int id = 0; id < 1'000'000; ++id) recent.insert(id);
  std::cout << "rate " << recent.realised_fpr()
            << ", forgotten after 1000 inserts: " << recent.forgetting(1000) << '\n';
  return recent.may_contain(999'999) && recent.realised_fpr() < 0.015 ? 0 : 1;
}
