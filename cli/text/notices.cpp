#include "text/notices.hpp"

#include <fmt/core.h>

#include <cstdio>

namespace bloomery::cli {

std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out += c;
    else
      out += c == '\n' ? "\\n" : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

void say(const std::string& text) { std::fputs(text.c_str(), stderr); }
void warn(const std::string& message) {
  say("bloomery: warning: " + one_line(message) + "\n");
}
void note(const std::string& message) { say("bloomery: " + one_line(message) + "\n"); }

}  // namespace bloomery::cli
