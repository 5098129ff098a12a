#include "text/shell_quote.hpp"

#include <algorithm>

namespace bloomery::cli {

std::string shell_quoted(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:@%+=").find(c) != std::string_view::npos;
  };
  const std::string front = name.starts_with('-') ? "./" : "";
  if (!name.empty() && std::ranges::all_of(name, is_plain))
    return front + std::string(name);
  std::string out = "'" + front;
  for (const char c : name) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out += '\'';
}

}  // namespace bloomery::cli
