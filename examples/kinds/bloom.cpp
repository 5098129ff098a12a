// The classic filter, for rates below 1e-5.  Two of one size and hash can be merged.
#include <iostream>

#include <bloomery/bloom.hpp>

int main() {
  auto monday = bloomery::bloom::make({.keys = 100'000, .fpr = 1e-6}).value();
  auto tuesday = monday.empty_like().value();
  monday.insert("alice");
  tuesday.insert("bob");
  monday.merge(tuesday).value();
  std::cout << 8.0 * static_cast<double>(monday.size_in_bytes()) / 1e5
            << " bits per key\n";
  return monday.may_contain("alice") && monday.may_contain("bob") ? 0 : 1;
}
