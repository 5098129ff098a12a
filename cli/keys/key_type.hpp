// What a key is before it is bytes: text, or a number that other systems store as bytes
// of a certain width and order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::cli {

struct key_type {
  enum class shape : std::uint8_t { bytes, text, utf16, integer, real };

  enum class sign : std::uint8_t { none, negative_too, either };

  std::string_view name;
  shape of;
  key_source source = key_source::bytes;  // in native filters
  unsigned width = 0;                     // bytes of a number
  sign range = sign::none;                // either: of the signed or the unsigned type
  bool big_endian = false;

  bool is_plain() const { return of == shape::bytes || of == shape::text; }
};

// Throws failure, listing the names.
const key_type& key_type_named(std::string_view name);
extern const std::string key_type_help;
std::vector<std::string> names_of_key_types();

// How the text of a key becomes its bytes.
struct key_encoding {
  const key_type* type = nullptr;  // null: the bytes as they are
  number_keys rule = number_keys::plain;
  bool is_unknown = false;  // keys are integers of unknown width

  bool is_plain() const { return type == nullptr || type->is_plain(); }
  // An upper bound of the bytes that `text` becomes.
  std::size_t room_for(std::string_view text) const;
  // Appends the bytes; false, with nothing appended, if the text is none of this type.
  // REQUIRES: !is_plain()
  bool append(std::string_view text, std::string& bytes) const;
};

// The encoding of keys for a filter of that dialect, and their form.
struct key_choice {
  key_encoding encoding;
  key_form form = key_form::bytes;
};
key_choice choose_key(const key_type& type, const dialect_facts& facts);

// The encoding for this filter of a dialect: some forms of it differ.
key_encoding fitted(key_encoding to_facts, const foreign_filter& filter);

// Whether the filters in a file have names, even if there is only one.
bool has_named_parts(const foreign_filter& filter);

}  // namespace bloomery::cli
