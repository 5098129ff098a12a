// From keys to a native filter, as the options of `build` say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bloomery/build.hpp>
#include <bloomery/kinds.hpp>

#include "files/read_request.hpp"
#include "keys/hash_choice.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

struct build_options {
  std::vector<std::string> files;
  std::string out;
  std::string receipts;  // of every key; empty: none
  size_request size;
  std::optional<std::uint64_t> capacity;
  bool gap = false;   // it was given as that
  std::string kind;   // empty: the dialect's default
  std::string hash;   // empty: the kind's default
  read_request form;  // dialect, seed, secret, key type; shape of other systems' filters
  bool fast = false;  // of --kind static: prefer speed to size
  // Keys beyond this many bytes go to temporary files.
  std::optional<std::uint64_t> memory_limit;
  std::string temp_dir;  // empty: $TMPDIR, or else where the output goes
  unsigned threads = 1;
  record_format format;
  bool as_json = false;
  bool quiet = false;  // notes, not warnings
};

// A filter with all keys of the files in it: the same for any number of threads, and with
// any memory limit.  `what` is the kind, or with --kind static any of them.
// Throws failure.
built_filter build_filter(const kind_info& what, const hasher& hash,
                          const build_options& o);

}  // namespace bloomery::cli
