// The secret of SipHash's published answers: 00 01 02 .. 0f.
#pragma once

#include <cstddef>

#include <bloomery/hasher.hpp>

namespace bloomery::testing {

inline hasher::secret counting_secret() {
  hasher::secret s;
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = static_cast<std::byte>(i);
  return s;
}

}  // namespace bloomery::testing
