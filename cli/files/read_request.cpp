#include "files/read_request.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <limits>

#include "command/command.hpp"
#include "keys/secret.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {

void add_shape_options(CLI::App& command, read_request& r) {
  command.add_option("--variant", r.variant, "which form of the dialect's bytes")
      ->type_name("V");
  add_count(
      command, "--hashes", 1,
      [&r](std::uint64_t n) {
        if (n > std::numeric_limits<std::uint32_t>::max())
          throw CLI::ValidationError("--hashes", fmt::format("{} are too many", n));
        r.hashes = static_cast<std::uint32_t>(n);
      },
      "hashes per key, where the bytes do not tell")
      ->type_name("K");
  add_count(
      command, "--bits", 1, [&r](std::uint64_t n) { r.bits = n; },
      "number of bits, where the bytes do not tell")
      ->type_name("M");
}

void add_key_type(CLI::App& command, read_request& r) {
  command.add_option("--key-type", r.key_type, key_type_help)->type_name("T");
}

void add_read_options(CLI::App& command, read_request& r,
                      const std::string& dialect_option) {
  command
      .add_option(dialect_option, r.dialect,
                  "what the file holds, if its bytes do not tell: see bloomery formats")
      ->type_name("D");
  add_shape_options(command, r);
  add_seed(command, r.seed, r.seed_is_negative,
           "seed of the hash, where the bytes do not tell");
  add_count(
      command, "--part", 0, [&r](std::uint64_t n) { r.part = n; },
      "one of several filters in the file, from 0 (default: all)")
      ->type_name("N");
  add_key_type(command, r);
  command
      .add_option("--secret-file", r.secret_file,
                  "secret of a keyed hash: 16 bytes, or 32 hex digits")
      ->type_name("F");
}

void check_seed(const read_request& r, const dialect_facts& facts) {
  if (r.seed_is_negative && !facts.signed_seed)
    throw failure(
        fmt::format("--seed: the seed of a {} filter is not negative", facts.name));
}

foreign_options foreign_options_of(const read_request& r, key_form form) {
  foreign_options o;
  o.variant = r.variant;
  o.bits = r.bits;
  o.hashes = r.hashes;
  o.seed = r.seed;
  o.form = form;
  if (r.part) o.part = *r.part;
  return o;
}

std::optional<hasher::secret> secret_of(const read_request& r) {
  if (r.secret_file.empty()) return std::nullopt;
  return read_secret(r.secret_file);
}

}  // namespace bloomery::cli
