// The number of keys is not known: it adds levels, and keeps the rate.
#include <iostream>

#include <bloomery/scalable_bloom.hpp>

int main() {
  using filter = bloomery::scalable_bloom::integers;
  auto seen = filter::make({.keys = 1000, .fpr = 0.01, .max_growth = 1024}).value();
  for (int id = 0; id < 100'000; ++id) seen.insert(id);
  std::cout << seen.levels() << " levels, rate " << seen.realised_fpr() << '\n';
  return seen.levels() > 1 && seen.realised_fpr() <= 0.01 ? 0 : 1;
}
