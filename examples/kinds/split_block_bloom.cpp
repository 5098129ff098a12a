// The filter of Apache Parquet: the bits that a reader of the file expects.
#include <iostream>

#include <bloomery/split_block_bloom.hpp>

int main() {
  auto column = bloomery::split_block_bloom::make({.keys = 10'000, .fpr = 0.01}).value();
  for (const char* city : {"Oslo", "Lima", "Pune"}) column.insert(city);
  const auto bitset = column.bytes();  // what Parquet writes after its header
  std::cout << bitset.size() << " bytes\n";
  return bitset.size() % 32 == 0 && column.may_contain("Lima") ? 0 : 1;
}
