// A filter that is changed or written anew: a copy in memory, every checksum verified.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>

#include "files/dialects.hpp"
#include "files/read_request.hpp"
#include "files/source.hpp"
#include "keys/native_keys.hpp"

namespace bloomery::cli {

struct loaded_filter {
  std::string path;
  const dialect* how;
  std::variant<any_filter, foreign_filter> filter;
  std::optional<container_facts> container;  // its header, if it has one
  native_keys keys;  // of another system's filter, only their encoding

  void may_contain(std::span<const std::string_view> encoded, std::span<bool> out) const {
    if (const auto* native = std::get_if<any_filter>(&filter))
      query_native(*native, keys, encoded, out);
    else
      std::get<foreign_filter>(filter).may_contain(encoded, out);
  }
};

// "native", "portable", "guava", "guava in a container"
std::string name_of(const loaded_filter& f);

// Damage is refused: it would spread to what is written and be invisible there.
// Throws failure, which ends in "; not VERB".
loaded_filter load_filter(const std::string& path, const read_request& r,
                          std::string_view verb);
// The same of a file that was opened to be written anew.
loaded_filter load_filter(source& from, std::string_view verb);

}  // namespace bloomery::cli
