// One line of a script (spec/conformance.md, section 3), taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <bloomery/hasher.hpp>

namespace bloomery::conform {

// The script does not parse, or a file of it is missing: the program ends with status 2.
struct bad_script : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A key as a script names it: bytes, an integer, or a hash already.
using script_key = std::variant<std::string, std::uint64_t, key>;

struct line {
  std::vector<std::string> words;              // the verb, then arguments by place
  std::map<std::string, std::string> options;  // NAME=VALUE

  // Throw bad_script where a word or number is missing or is none.
  const std::string& word(std::size_t i) const;
  std::uint64_t number(std::size_t i) const;
  bool has(const std::string& option) const { return options.contains(option); }
  const std::string& option(const std::string& name) const;
  std::uint64_t number(const std::string& name) const;
  std::uint64_t number_or(const std::string& name, std::uint64_t otherwise) const;
  double real(const std::string& name) const;
  // What `source=` says; bytes if it is not there, nothing for `any`.
  std::optional<key_source> source() const;
  // All words from place i on, which are keys.
  std::vector<script_key> keys(std::size_t i) const;
};

line parse(std::string_view text);
std::vector<script_key> parse_keys(const std::string& word);
hasher parse_hasher(const std::string& word);
hasher::secret parse_secret(const std::string& hex);
std::string parse_hex(std::string_view hex);

}  // namespace bloomery::conform
