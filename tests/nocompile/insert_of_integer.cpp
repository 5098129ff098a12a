// The likeliest first program: a filter made for text and bytes, and an integer.
#include <bloomery/block_bloom.hpp>

void put() {
#ifdef BLOOMERY_NOCOMPILE
  auto seen = bloomery::block_bloom::make({.keys = 1000, .fpr = 0.01}).value();
#else
  auto seen = bloomery::block_bloom::integers::make({.keys = 1000, .fpr = 0.01}).value();
#endif
  seen.insert(42);
}
