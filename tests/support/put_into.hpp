// Keys into a filter of any kind that grows.
#pragma once

#include <span>
#include <stdexcept>

#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>

#include "must.hpp"

namespace bloomery::testing {

// One: a key or a text.  A key that is refused ends the test.
template <class F, class K>
void put_into(F& f, const K& k) {
  if constexpr (insertable<F>)
    f.insert(k);
  else
    must(f.try_insert(k));
}
// Many.
template <class F>
void put_all_into(F& f, std::span<const key> ks) {
  if constexpr (insertable<F>)
    f.insert(ks);
  else if (f.try_insert(ks) != ks.size())
    throw std::runtime_error("a filter does not hold the keys it was sized for");
}

}  // namespace bloomery::testing
