// For v3.cpp: calls of the library under its own name.
#include <bloomery/counting_bloom.hpp>

#include "kit/v3.hpp"

using bloomery::counting_bloom;

extern "C" {

void bloomery_v3_insert(void* counting, std::uint64_t key) {
  static_cast<counting_bloom*>(counting)->insert(bloomery::key::from_bits(key));
}
bool bloomery_v3_may_contain(const void* counting, std::uint64_t key) {
  return static_cast<const counting_bloom*>(counting)->may_contain(
      bloomery::key::from_bits(key));
}
}
