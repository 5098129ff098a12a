// A stream without an end: the last 1000 keys are found for certain.
#include <iostream>

#include <bloomery/window_bloom.hpp>

int main() {
  using filter = bloomery::window_bloom::integers;
  auto recent = filter::make({.keys = 1000, .fpr = 0.01}).value();
  for (int id = 0; id < 1'000'000; ++id) recent.insert(id);
  recent.rotate();  // and the oldest of its 4 generations is forgotten at once
  int found = 0;
  for (int id = 0; id < 1'000'000; ++id) found += recent.may_contain(id);
  std::cout << found << " possibly present\n";
  return recent.may_contain(999'999) && found < 20'000 ? 0 : 1;
}
