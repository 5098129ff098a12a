// Strings of the server, and words among arguments.
#pragma once

#include <strings.h>

#include <cstddef>
#include <string_view>

#include "binding.hpp"

namespace bloomery::redis {

inline std::string_view text_of(const server::string* s) noexcept {
  std::size_t n = 0;
  const char* p = server::StringPtrLen(s, &n);
  return {p, n};
}

// Case does not count, as in every command of the server.
inline bool is_word(std::string_view text, std::string_view word) noexcept {
  return text.size() == word.size() &&
         strncasecmp(text.data(), word.data(), word.size()) == 0;
}

}  // namespace bloomery::redis
