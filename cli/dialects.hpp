// Which bytes a file holds.  A new dialect is one row of the table in dialects.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/any_filter.hpp>
#include <bloomery/pages.hpp>

namespace bloomery::cli {

struct dialect {
  std::string_view name;
  std::string_view summary;
  // What a file that loads has shown, and what it has not.
  std::string_view checked;
  std::string_view unchecked;
  // Whether a file that starts so and is this long may be one ...
  bool (*could_be)(std::span<const std::byte> head, std::uint64_t file_size);
  // ... and whether that is proof: it begins with a magic.
  bool has_magic;
  result<any_filter> (*load)(const char* path);
  result<void> (*save)(const any_filter& filter, const char* path);
  result<pages> (*encode)(const any_filter& filter);
};

std::span<const dialect> dialects();

// Of the --dialect of commands that read.
inline constexpr const char* dialect_help =
    "what the file holds: portable (must be named), provisional (recognised)";

// The dialect of that name.  Throws failure, listing the names.
const dialect& dialect_named(std::string_view name);

// A filter read from a file.
struct opened {
  const dialect* how;
  any_filter filter;
  // What is wrong with it, if it answers all the same.
  std::optional<std::string> damage;
};

// Opens `path` as `name`, or as the only dialect it could be if `name` is empty.  An
// ambiguous file is refused with the candidates listed, never guessed.  Throws failure.
opened open_filter(const std::string& path, std::string_view name);

}  // namespace bloomery::cli
