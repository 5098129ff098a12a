// Keyword arguments that say what a filter is to be.
#pragma once

#include <cstdint>
#include <optional>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>

#include "python.hpp"

namespace bloomery::py {

struct filter_request {
  const kind_info* kind;
  std::uint64_t keys = 0;
  size_request size;
  hasher hash;

  any_filter make() const;
};

// Raises TypeError (an option that does not exist, or has another type), and the errors
// of the library.  `default_source`: where `source` is not given.
filter_request request_of(const nb::kwargs& options,
                          key_source default_source = key_source::bytes);

// The hash, seed, secret and source alone; false: not an option of hashers.
hasher hasher_of(const nb::kwargs& options, const hasher& fallback, key_source source);

// --- options for reading ---
struct reading {
  std::optional<hasher::secret> secret;
  read_options options;  // its secret: that above

  reading(nb::handle secret, nb::handle source, nb::handle max_bytes);
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
};

// A count or size, called `name`.  Raises InvalidArgumentError (negative, 2**64 or more),
// TypeError.
std::uint64_t count_of(const char* name, nb::handle value);

// A path as Python has it: str, bytes or os.PathLike.
std::string path_of(nb::handle path);
// The same from the root: the folder of the process may change.
std::string absolute_path(nb::handle path);

hasher::secret secret_of(nb::handle bytes);
key_source source_named(nb::handle name);

}  // namespace bloomery::py
