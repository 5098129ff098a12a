// A filter of text and bytes from a range of integers.
#include <vector>

#include <bloomery/ribbon.hpp>

bool make(const std::vector<int>& ids) {
#ifdef BLOOMERY_NOCOMPILE
  return bloomery::ribbon::build(ids, {.fpr = 0.01}).has_value();
#else
  return bloomery::ribbon::integers::build(ids, {.fpr = 0.01}).has_value();
#endif
}
