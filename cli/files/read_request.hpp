// How a filter file is to be read, as options of every command that reads one say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>

#include "keys/key_type.hpp"

namespace bloomery::cli {

struct read_request {
  std::string dialect;  // empty: by the bytes
  std::string variant;
  std::optional<std::uint64_t> bits, seed;
  bool seed_is_negative = false;
  std::optional<std::uint32_t> hashes;
  std::optional<std::uint64_t> part;
  std::string key_type;  // empty: as the file says, or bytes
  std::string secret_file;
  // For several files: each takes the options it needs.  A container says itself what it
  // is, whatever the dialect of the others, and only a keyed hash takes the secret.
  bool is_shared = false;

  // The first given option that only formats without that parameter take.
  const char* shape_option() const {
    return !variant.empty() ? "--variant"
           : hashes         ? "--hashes"
           : bits           ? "--bits"
           : seed           ? "--seed"
                            : nullptr;
  }
};

// Throws failure: a negative seed for a dialect that has none.
void check_seed(const read_request& r, const dialect_facts& facts);

// The options of the library; views into `r`.
foreign_options foreign_options_of(const read_request& r, key_form form);

// Nothing, if there is no --secret-file.  Throws failure.
std::optional<hasher::secret> secret_of(const read_request& r);

}  // namespace bloomery::cli
