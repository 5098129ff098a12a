// Numbered keys under the default hash.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

#include "test_key.hpp"

namespace bloomery::vectors {

// prefix0, prefix1, ...
inline std::vector<key> hashed(const char* prefix, std::size_t count) {
  std::vector<key> out;
  for (const std::string& s : testing::numbered(prefix, count))
    out.push_back(hasher::xxh3().hash(std::string_view(s)));
  return out;
}

}  // namespace bloomery::vectors
