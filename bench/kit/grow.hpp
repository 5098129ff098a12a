// Builds the filters of a measurement, by the clock.
#pragma once

#include <memory>

#include "kit/measure.hpp"

namespace bloomery::bench {

// Two of a kind: one that holds all keys, for lookups, and one to insert into.
struct specimen {
  std::unique_ptr<subject> full, scratch;
};

// Also fills in f.build and f.build_threaded.  Errors: as the makers.
result<specimen> grow(const plan& p, const options& o, figures& f);

}  // namespace bloomery::bench
