#include "files/read_request.hpp"

#include <fmt/core.h>

#include "keys/secret.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

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
