// Builds the filters of a measurement, by the clock.
#pragma once

#include <memory>

#include "kit/measure.hpp"

namespace bloomery::bench {

// Two of a kind.
struct subject_pair {
  std::unique_ptr<subject> full;             // holds all keys: for lookups
  std::unique_ptr<growing_subject> scratch;  // to insert into; null: it takes no keys
};

// Also fills in f.build and f.build_threaded.  Errors: as the makers.
result<subject_pair> build_pair(const subject_spec& s, const options& o, figures& f);

}  // namespace bloomery::bench
