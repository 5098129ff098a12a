#include "keys/hash_choice.hpp"

#include <fmt/core.h>

#include "keys/secret.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Others compute the same bits: the hash is part of the filter.
hasher fixed_hash(const kind_info& what, const hash_request& asked) {
  const std::string_view fixed = name_of(what.facts.hasher().id());
  if (!asked.name.empty() && asked.name != fixed)
    throw failure(fmt::format("--hash {}: the {} filter is defined with {}", asked.name,
                              what.facts.name, fixed));
  if (asked.seed || !asked.secret_file.empty())
    throw failure(fmt::format(
        "the {} filter is defined with {}: it takes no --seed and no --secret-file",
        what.facts.name, fixed));
  return what.facts.hasher();
}

}  // namespace

std::vector<std::string> names_of_hashes() {
  std::vector<std::string> names;
  for (const hash_id id : {hash_id::xxh3, hash_id::xxh64, hash_id::siphash13})
    names.emplace_back(name_of(id));
  return names;
}

hasher choose_hash(const kind_info& what, const hash_request& asked) {
  if (!what.facts.any_hasher) return fixed_hash(what, asked);
  const bool keyed = asked.name == name_of(hash_id::siphash13);
  if (keyed != !asked.secret_file.empty())
    throw failure(keyed
                      ? "--hash siphash13: needs a secret: --secret-file F, for example "
                        "from head -c 16 /dev/urandom"
                      : "--secret-file: only --hash siphash13 takes a secret");
  if (keyed && asked.seed)
    throw failure("--seed: --hash siphash13 takes a secret instead of a seed");
  if (keyed) return hasher::siphash13(read_secret(asked.secret_file));
  const std::uint64_t seed = asked.seed.value_or(0);
  if (asked.name.empty() || asked.name == name_of(hash_id::xxh3))
    return hasher::xxh3(seed);
  if (asked.name == name_of(hash_id::xxh64)) return hasher::xxh64(seed);
  throw failure(
      fmt::format("--hash {}: the {} filter takes xxh3 (default), xxh64 or siphash13",
                  asked.name, what.facts.name));
}

}  // namespace bloomery::cli
