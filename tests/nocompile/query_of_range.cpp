// Many keys have many answers.
#include <iterator>
#include <vector>

#include <bloomery/portable_bloom.hpp>

void put(const bloomery::portable_bloom::integers& f, const std::vector<int>& xs,
         std::vector<bool>& out) {
#ifdef BLOOMERY_NOCOMPILE
  (void)f.may_contain(xs);
#else
  f.may_contain(xs, std::back_inserter(out));
#endif
}
