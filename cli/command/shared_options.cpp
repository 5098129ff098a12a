#include "command/shared_options.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <limits>

#include "files/dialects.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {
namespace {

charset charset_named(const std::string& name) {
  if (name == "utf-8") return charset::utf8;
  if (name == "utf-16le") return charset::utf16le;
  if (name == "utf-16be") return charset::utf16be;
  throw usage_error(fmt::format("there is no '{}': utf-8, utf-16le, utf-16be", name));
}

char delimiter_named(const std::string& text) {
  if (text == "\\t") return '\t';
  if (text.size() != 1 || text == "\n" || text == "\"")
    throw usage_error(fmt::format(
        "'{}' is not one byte, or is a quote or newline: try ',' or '\\t'", text));
  return text[0];
}

// A number, or a name of the header.
void take_field(column& c, const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos)
    c.number = whole_number(text, 1);
  else
    c.name = text;
}

void add_column_options(command& c, column& to) {
  const option field = c.add(
      "-F,--field", "N", [&to](const std::string& text) { take_field(to, text); },
      "the key is field N of each row, from 1, or the field that the header of each "
      "file names N");
  c.add(
       "-d,--delimiter", "D",
       [&to](const std::string& text) { to.delimiter = delimiter_named(text); },
       "field delimiter: one byte (default: TAB, with --csv a comma)")
      .needs(field);
  const auto set = [&](const char* names, column::quotes to_what, const char* help) {
    return c
        .add_switch(
            names, [&to, to_what] { to.quoting = to_what; }, help)
        .needs(field);
  };
  const option csv = set("--csv", column::quotes::csv,
                         "double quotes follow the rules of CSV (RFC 4180)");
  set("--no-quotes", column::quotes::bytes, "double quotes are part of a field")
      .excludes(csv);
  c.add_flag("--header", to.header, "the first row of each file is a header, not a key")
      .needs(field);
  c.add_flag("--missing-empty", to.missing_is_empty,
             "a row without the field is the empty key (default: refused)")
      .needs(field);
}

}  // namespace

void add_output_option(command& c, std::string& out) {
  c.add("-o,--output", "OUT", out,
        "the filter to write, replaced only when complete; -: standard output")
      .required();
}

void add_seed_option(command& c, read_request& r, const std::string& help) {
  const auto take = [&r](const std::string& text) {
    const seed_number seed = seed_of(text);
    r.seed = seed.bits;
    r.seed_is_negative = seed.is_negative;
  };
  c.add("--seed", "N", take, help);
}

void add_shape_options(command& c, read_request& r) {
  c.add("--variant", "V", r.variant, "variant of the dialect")
      .offers(names_of_variants());
  const auto take_hashes = [&r](const std::string& text) {
    const std::uint64_t n = whole_number(text, 1);
    if (n > std::numeric_limits<std::uint32_t>::max())
      throw usage_error(fmt::format("{} are too many", n));
    r.hashes = static_cast<std::uint32_t>(n);
  };
  c.add("--hashes", "K", take_hashes,
        "hashes per key, where the format does not record them");
  const auto take_bits = [&r](const std::string& n) { r.bits = whole_number(n, 1); };
  c.add("--bits", "M", take_bits, "number of bits, where the format does not record it");
}

void add_key_type_option(command& c, read_request& r) {
  c.add("--key-type", "T", r.key_type, key_type_help).offers(names_of_key_types());
}

void add_read_options(command& c, read_request& r, const std::string& dialect_option) {
  c.add(dialect_option, "D", r.dialect,
        "format of the file, if it cannot be recognised: see bloomery formats")
      .offers(names_of_dialects());
  add_shape_options(c, r);
  add_seed_option(c, r, "seed of the hash, where the format does not record it");
  const auto take_part = [&r](const std::string& n) { r.part = whole_number(n, 0); };
  c.add("--part", "N", take_part,
        "one of several filters in the file, from 0 (default: all)");
  add_key_type_option(c, r);
  c.add("--secret-file", "F", r.secret_file,
        "secret of a keyed hash: 16 bytes, or 32 hex digits");
}

void add_record_options(command& c, record_format& format) {
  const option nul =
      c.add_flag("-0,--null", format.nul, "keys end in a NUL byte instead of a newline");
  c.add_flag("--hex", format.hex, "keys are written as hex, one per line").excludes(nul);
  add_column_options(c, format.field);
  c.add_flag("-z,--decompress", format.unpack,
             "refuse input that is not gzip, zstd or xz (these are always recognised)");
  const auto take_encoding = [&format](const std::string& name) {
    format.text = charset_named(name);
  };
  option encoding =
      c.add("--encoding", "E", take_encoding,
            "of input: utf-8, utf-16le, utf-16be (default: by its byte order mark)");
  encoding.offers({"utf-8", "utf-16le", "utf-16be"});
  const option crlf = c.add_flag("--crlf", format.crlf,
                                 "drop one CR before each newline, where there is one")
                          .excludes(nul);
  c.add_flag(
       "--as-is", format.as_is,
       "keys are the bytes as they are: nothing is recognised, converted or refused")
      .excludes(encoding)
      .excludes(crlf);
}

void add_key_option(command& c, std::vector<std::string>& keys) {
  c.add("-k,--key", "KEY", keys, "this key; may be repeated; standard input is not read")
      .one_value();
}

option add_rate_option(command& c, double& fpr, const std::string& help) {
  return c.add(
      "--fpr", "P", [&fpr](const std::string& p) { fpr = rate_number(p); }, help);
}

void add_empty_option(command& c, record_format& format) {
  format.allow_empty = false;
  c.add_flag("--allow-empty", format.allow_empty, "accept an input that has no keys");
}

}  // namespace bloomery::cli
