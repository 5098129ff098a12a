// One slice of bits per hash: its rate is the product of the fills of the slices.
#include <iostream>
#include <string>

#include <bloomery/partitioned_bloom.hpp>

int main() {
  auto seen = bloomery::partitioned_bloom::make({.keys = 10'000, .fpr = 0.01}).value();
  for (int i = 0; i < 10'000; ++i) seen.insert(std::to_string(i));
  double rate = 1;
  for (std::uint32_t s = 0; s < seen.slices(); ++s) rate *= seen.slice_fill(s);
  std::cout << seen.slices() << " slices, rate " << rate << '\n';
  return rate > 0.009 && rate < 0.011 ? 0 : 1;
}
