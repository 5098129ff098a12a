#include "command/shared_options.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <limits>

#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {

void add_output_option(command& c, std::string& out) {
  c.add("-o,--output", "OUT", out,
        "the filter to write, replaced only when whole; -: standard output")
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
  c.add("--variant", "V", r.variant, "which form of the dialect's bytes");
  const auto take_hashes = [&r](const std::string& text) {
    const std::uint64_t n = whole_number(text, 1);
    if (n > std::numeric_limits<std::uint32_t>::max())
      throw usage_error(fmt::format("{} are too many", n));
    r.hashes = static_cast<std::uint32_t>(n);
  };
  c.add("--hashes", "K", take_hashes, "hashes per key, where the bytes do not tell");
  const auto take_bits = [&r](const std::string& n) { r.bits = whole_number(n, 1); };
  c.add("--bits", "M", take_bits, "number of bits, where the bytes do not tell");
}

void add_key_type_option(command& c, read_request& r) {
  c.add("--key-type", "T", r.key_type, key_type_help);
}

void add_read_options(command& c, read_request& r, const std::string& dialect_option) {
  c.add(dialect_option, "D", r.dialect,
        "what the file holds, if its bytes do not tell: see bloomery formats");
  add_shape_options(c, r);
  add_seed_option(c, r, "seed of the hash, where the bytes do not tell");
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
  c.add_flag(
      "--as-is", format.as_is,
      "take keys that look compressed, as UTF-16, with a byte order mark, CR LF, CR "
      "or NUL");
}

void add_empty_option(command& c, record_format& format) {
  format.allow_empty = false;
  c.add_flag("--allow-empty", format.allow_empty, "accept an input that has no keys");
}

}  // namespace bloomery::cli
