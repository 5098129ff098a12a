// What `build` was asked for, and the way from keys to a filter of our own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/filter_output.hpp"
#include "files/read_request.hpp"
#include "keys/hash_choice.hpp"
#include "keys/record_format.hpp"
#include "sizes/kinds.hpp"

namespace bloomery::cli {

struct build_options {
  std::vector<std::string> files;
  std::string out;
  size_request size;
  std::optional<std::uint64_t> capacity;
  std::string kind;   // empty: the default of the dialect
  std::string hash;   // empty: the kind's own
  read_request form;  // dialect, seed, secret, key type; shape of other systems' filters
  unsigned threads = 1;
  record_format format;
  bool quiet = false;
};

struct built {
  any_filter filter;
  notes recorded;
};

// A filter with all keys of the files in it: the same for any number of threads.
// Throws failure.
built build_filter(const kind& what, const hasher& hash, const build_options& o);

}  // namespace bloomery::cli
