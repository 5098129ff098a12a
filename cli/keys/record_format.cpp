#include "keys/record_format.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The part that is wrong.
std::string why_not_hex(std::string_view text) {
  const auto is_wrong = [](char c) { return digit(c) < 0; };
  const auto bad = std::ranges::find_if(text, is_wrong);
  if (bad == text.end())
    return fmt::format("{} hex digit{}: a byte takes two, so one is missing or too many",
                       text.size(), text.size() == 1 ? "" : "s");
  const auto at = static_cast<std::size_t>(bad - text.begin());
  const std::string_view part = text.substr(at, 2);
  const bool two = part.size() == 2 && is_wrong(part[1]);
  return fmt::format(
      "'{}' at digit {} is not hex (0-9, a-f){}", printable(part.substr(0, two ? 2 : 1)),
      at + 1,
      text.starts_with("0x") || text.starts_with("0X") ? ": leave out the 0x" : "");
}

}  // namespace

bool append_hex(std::string_view text, std::string& bytes) {
  if (text.size() % 2 != 0) return false;
  const std::size_t before = bytes.size();
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) {
      bytes.resize(before);
      return false;
    }
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

std::size_t room_for(const record_format& f, std::string_view text) {
  return f.hex ? text.size() / 2 : f.encoding.room_for(text);
}

void append_key(const record_format& f, std::string_view text,
                const std::function<std::string()>& place, std::string& bytes) {
  if (f.hex ? append_hex(text, bytes) : f.encoding.append(text, bytes)) return;
  if (f.hex) throw failure(fmt::format("{}: {}", place(), why_not_hex(text)));
  throw failure(fmt::format("{}: not a key of type {}: '{}'", place(),
                            f.encoding.type->name, printable(text.substr(0, 40))));
}

record_format with_encoding(record_format f, const key_encoding& encoding) {
  if (f.hex && !encoding.is_plain())
    throw failure(
        fmt::format("--hex and --key-type {}: leave one of the two out, both "
                    "say which bytes a key has",
                    encoding.type->name));
  if (encoding.is_unknown)
    throw failure(
        "the keys of this filter are integers: say how they are written, for example "
        "--key-type i64");
  f.encoding = encoding;
  return f;
}

std::string printable(std::string_view key) {
  const bool plain =
      std::ranges::all_of(key, [](char c) { return c >= ' ' && c <= '~'; });
  if (plain) return std::string(key);
  std::string hex = "hex ";
  for (const char c : key) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

}  // namespace bloomery::cli
