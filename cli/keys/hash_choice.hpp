// Which hash `build` uses: --hash, --seed and --secret-file against what a kind allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>

namespace bloomery::cli {

struct hash_request {
  std::string name;  // empty: the kind's own
  std::optional<std::uint64_t> seed;
  std::string secret_file;
};

// Those that --hash takes, of kinds without a fixed one.
std::vector<std::string> names_of_hashes();

// Throws failure, with the reason.
hasher choose_hash(const kind_info& what, const hash_request& asked);

}  // namespace bloomery::cli
