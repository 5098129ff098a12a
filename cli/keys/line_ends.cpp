#include "keys/line_ends.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "keys/terminators.hpp"

namespace bloomery::cli {

std::size_t line_ends::convert(std::span<char> text) {
  holds_cr_ = false;
  if (now_ == at::start) {
    const auto newline = std::ranges::find(text, '\n');
    if (newline != text.end())
      now_ = newline != text.begin() && *(newline - 1) == '\r' ? at::crlf : at::lf;
  }
  if (now_ == at::lf) return text.size();
  if (text.back() == '\r') {
    holds_cr_ = true;
    text = text.first(text.size() - 1);
  }
  const std::size_t n = now_ == at::crlf ? drop_crs(text) : text.size();
  if (n != 0) last_ = text[n - 1];
  return n;
}

// The CR of a newline is in the same piece, because one at its end is held back.
std::size_t line_ends::drop_crs(std::span<char> text) {
  char* const data = text.data();
  std::size_t from = 0, to = 0;
  const auto move = [&](std::size_t n) {
    std::memmove(data + to, data + from, n);
    to += n;
  };
  for_each_terminator(data, 0, text.size(), '\n', [&](std::size_t end) {
    ++lines_;
    const bool has_cr = end != from && data[end - 1] == '\r';
    move(end - from - has_cr);
    const char before = to != 0 ? data[to - 1] : last_;
    const bool is_ambiguous = !has_cr || before == '\r';
    if (kind_ == kind::by_first_line && is_ambiguous && why_not_.empty())
      why_not_ = fmt::format(
          "line {} ends in {}, and the first in CR LF: --crlf drops one CR before each "
          "newline, --as-is keeps them all",
          lines_, has_cr ? "CR CR LF" : "LF alone");
    data[to++] = '\n';
    from = end + 1;
  });
  move(text.size() - from);
  return to;
}

void line_ends::finish() {
  if (holds_cr_ && now_ == at::crlf)
    why_not_ = fmt::format(
        "line {} ends in CR without a newline: was the file cut short? --as-is keeps "
        "every CR",
        lines_ + 1);
  holds_cr_ = false;
}

}  // namespace bloomery::cli
