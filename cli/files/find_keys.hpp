// Looks up all keys of files, and reports those that are missing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keys/record_format.hpp"

namespace bloomery::cli {

struct findings {
  std::uint64_t checked = 0;
  std::uint64_t missing = 0;
  std::vector<std::string> examples;  // "keys.txt, line 7: alice", at most 10
};

using key_batch = std::span<const std::string_view>;

// Reads all keys of the files; `may_contain` answers a batch, `seen`, if any, gets it
// too.  Throws failure.
findings find_keys(const std::vector<std::string>& files, const record_format& format,
                   const std::function<void(key_batch, std::span<bool>)>& may_contain,
                   const std::function<void(key_batch)>& seen = {});

}  // namespace bloomery::cli
