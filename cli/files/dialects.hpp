// Which bytes a file holds: our container, the portable filter, or one of the library's
// table of other systems' formats.  Nothing here knows one of those by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "files/filter_file.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

enum class family : std::uint8_t { container, portable, foreign };

struct dialect {
  family of;
  std::size_t row;  // of the library's table, if foreign
  dialect_facts facts;

  likeness could_be(std::span<const std::byte> image) const;
};

// Native and portable first, then the library's table.
std::span<const dialect> dialects();

// "native, portable, ..."
std::string dialect_names();
std::vector<std::string> names_of_dialects();
// Those of all dialects.
std::vector<std::string> names_of_variants();

// The dialect of that name.  Throws failure, listing the names.
const dialect& dialect_named(std::string_view name);

// Bytes that are of no dialect for certain.
struct unrecognised : failure {
  using failure::failure;
};

// The only dialect that the file can be: it has a magic that no other has.
// An ambiguous file is refused with the candidates listed, never guessed.
// Throws failure; if the bytes can be read, it is `unrecognised`.
const dialect& recognise(filter_file& file);

// "native", "portable", "guava", "guava in a container".  `inside`: null if the filter is
// native.
std::string dialect_name(const dialect& how, const foreign_filter* inside);

// A form of a dialect's bytes.
struct variant_facts {
  std::string_view name;
  bool writes;
};
std::vector<variant_facts> variants_of(const dialect_facts& facts);

// Options without which a file cannot be read: "--hashes".
std::vector<std::string> needs_of(const dialect_facts& facts);

// The same with values, " --variant new": the first variant is what new files have.
std::string example_options(const dialect_facts& facts);

// "; clickhouse needs --variant --hashes" if it may be that one of them is missing.
std::string needed_if(const error& e, const dialect_facts& facts);

}  // namespace bloomery::cli
