// Counters instead of bits: keys are counted and erased, and it is never full.
#include <iostream>

#include <bloomery/counting_bloom.hpp>

int main() {
  auto visits = bloomery::counting_bloom::make({.keys = 10'000, .fpr = 0.01}).value();
  for (int i = 0; i < 3; ++i) visits.insert("alice");
  visits.erase_present("alice").value();  // known to be in; otherwise by receipt
  std::cout << "alice: " << visits.count("alice") << " times\n";
  const auto published = visits.to_block_bloom().value();  // a quarter of the size
  return visits.count("alice") == 2 && published.may_contain("alice") ? 0 : 1;
}
