// Builds a filter, checks it, and takes all figures of it in one run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>

#include "kit/figures.hpp"
#include "kit/subject.hpp"
#include "kit/v3.hpp"

namespace bloomery::bench {

struct options {
  unsigned rounds = 9;
  unsigned threads = 1;
};

// A filter of all these keys, made by so many threads.
using whole_builder = std::function<result<std::unique_ptr<subject>>(std::span<const key>,
                                                                     unsigned threads)>;

// How to make what is measured.  At least one of `make` and `build` is there.
struct subject_spec {
  std::string kind;
  std::string kernel;
  hasher hash = hasher::xxh3();  // of its keys
  std::uint64_t keys = 0;        // at least 1
  double fpr = 0;
  subject_maker make = {};           // none: it takes no keys one after the other
  subject_maker make_textbook = {};  // the same bytes; none if empty
  whole_builder build = {};          // if empty: make, then insert
  bool build_takes_threads = false;
  const bloomery_v3_loops* v3 = nullptr;
};

// Throws std::runtime_error if the filter loses or refuses a key, its batches disagree
// with its one-key calls, or its bytes with the textbook's: such a filter has no speed.
// Errors: as the makers, out_of_memory.
result<figures> measure(const subject_spec& p, const options& o);

}  // namespace bloomery::bench
