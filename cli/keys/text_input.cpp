#include "keys/text_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "keys/terminators.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

constexpr auto utf8_mark = "\xef\xbb\xbf"sv, utf16le_mark = "\xff\xfe"sv,
               utf16be_mark = "\xfe\xff"sv, utf32le_mark = "\xff\xfe\0\0"sv;

// Whether more bytes might change which mark it begins with.
bool may_become_mark(std::string_view head) {
  for (const auto mark : {utf8_mark, utf16le_mark, utf16be_mark, utf32le_mark})
    if (head.size() < mark.size() && mark.starts_with(head)) return true;
  return false;
}

decompress how_to_unpack(const text_options& o) {
  return o.unpack  ? decompress::always
         : o.as_is ? decompress::never
                   : decompress::if_compressed;
}

}  // namespace

text_input::text_input(const std::string& file, const text_options& o, progress& shown)
    : bytes_(file, how_to_unpack(o), shown), options_(o) {
  if (o.nul || o.as_is) ends_ = line_ends::lf;
  if (o.crlf) ends_ = line_ends::crlf;
}

void text_input::refuse(const std::string& why) const {
  throw failure(fmt::format("{}: {}", name(), why));
}

std::size_t text_input::read(std::span<char> room) {
  if (ends_ == line_ends::lf && started_) return read_text(room);
  for (;;) {
    // A CR that was held back comes first.
    if (holds_cr_) room[0] = '\r';
    const std::size_t held = holds_cr_ ? 1 : 0;
    const std::size_t got = read_text(room.subspan(held));
    if (got == 0) return finish_lines(room);
    holds_cr_ = false;
    if (const std::size_t n = take_lines(room.first(held + got)); n != 0) return n;
  }
}

// --- marks and UTF-16 ---

std::size_t text_input::read_text(std::span<char> room) {
  if (!started_) return read_start(room);
  return utf16_ ? read_utf16(room) : bytes_.read(room);
}

// Waits for no more bytes than it takes to see that they are no mark.
std::size_t text_input::read_start(std::span<char> room) {
  started_ = true;
  if (options_.as_is) return bytes_.read(room);
  std::size_t got = 0;
  // Half of the room, because UTF-16 may grow by half.
  const auto start = room.first(room.size() / 2);
  while (may_become_mark({start.data(), got})) {
    const std::size_t n = bytes_.read(start.subspan(got));
    if (n == 0) break;
    got += n;
  }
  take_mark({room.data(), got});
  const std::string_view text(room.data() + mark_size_, got - mark_size_);
  if (utf16_) {
    const std::string copy(text);
    if (copy.empty()) return read_utf16(room);
    const std::size_t n = convert_utf16(copy, room);
    return n != 0 ? n : read_utf16(room);
  }
  std::memmove(room.data(), text.data(), text.size());
  return text.empty() && mark_size_ != 0 ? bytes_.read(room) : text.size();
}

// What the first bytes and the options say, and whether they agree.
void text_input::take_mark(std::string_view head) {
  if (options_.encoding != charset::by_mark) {
    const auto wanted = options_.encoding == charset::utf8      ? utf8_mark
                        : options_.encoding == charset::utf16le ? utf16le_mark
                                                                : utf16be_mark;
    for (const auto mark : {utf8_mark, utf16le_mark, utf16be_mark})
      if (mark != wanted && head.starts_with(mark))
        refuse(
            "begins with the byte order mark of another encoding than --encoding names: "
            "leave the option out");
    if (head.starts_with(wanted)) mark_size_ = wanted.size();
    if (wanted != utf8_mark) utf16_.emplace(wanted == utf16be_mark);
    return;
  }
  // Records that end in NUL may begin with anything: text_check refuses marks.
  if (options_.nul || head.starts_with(utf32le_mark)) return;
  if (head.starts_with(utf8_mark)) mark_size_ = utf8_mark.size();
  if (head.starts_with(utf16le_mark) || head.starts_with(utf16be_mark)) {
    mark_size_ = utf16le_mark.size();
    utf16_.emplace(head.starts_with(utf16be_mark));
  }
  had_mark_ = mark_size_ != 0;
}

std::size_t text_input::convert_utf16(std::string_view bytes, std::span<char> room) {
  const std::size_t n = utf16_->convert(bytes, room.data());
  if (utf16_->why_not().empty()) return n;
  refuse("is not UTF-16 all through: " + utf16_->why_not() +
         "; or --as-is, if the keys are these bytes");
}

std::size_t text_input::read_utf16(std::span<char> room) {
  for (;;) {
    units_.resize(std::max<std::size_t>(16, room.size() / 3));
    const std::size_t got = bytes_.read(units_);
    if (got == 0) {
      utf16_->finish();
      (void)convert_utf16({}, room);
      return 0;
    }
    if (const std::size_t n = convert_utf16({units_.data(), got}, room); n != 0) return n;
  }
}

// --- CR LF ---

// The first line decides.
std::size_t text_input::take_lines(std::span<char> text) {
  if (ends_ == line_ends::lf) return text.size();
  if (ends_ == line_ends::unknown) {
    const auto newline = std::ranges::find(text, '\n');
    if (newline != text.end()) {
      const bool has_cr = newline != text.begin() && *(newline - 1) == '\r';
      ends_ = has_cr ? line_ends::crlf : line_ends::lf;
      if (!has_cr) return text.size();
    }
  }
  if (text.back() == '\r') {
    holds_cr_ = true;
    text = text.first(text.size() - 1);
  }
  const std::size_t n = ends_ == line_ends::crlf ? drop_crs(text) : text.size();
  if (n != 0) last_ = text[n - 1];
  return n;
}

// A newline's CR is in the same piece: a CR at the end of one is held back.
std::size_t text_input::drop_crs(std::span<char> text) {
  char* const data = text.data();
  std::size_t from = 0, to = 0;
  const auto move = [&](std::size_t n) {
    std::memmove(data + to, data + from, n);
    to += n;
  };
  for_each_terminator(data, 0, text.size(), '\n', [&](std::size_t at) {
    ++lines_;
    const bool has_cr = at != from && data[at - 1] == '\r';
    move(at - from - has_cr);
    const char before = to != 0 ? data[to - 1] : last_;
    if (!options_.crlf && (!has_cr || before == '\r'))
      refuse(fmt::format(
          "line {} ends in {}, and the first in CR LF: --crlf drops one CR before each "
          "newline, --as-is keeps them all",
          lines_, has_cr ? "CR CR LF" : "LF alone"));
    data[to++] = '\n';
    from = at + 1;
  });
  move(text.size() - from);
  return to;
}

// At the end.
std::size_t text_input::finish_lines(std::span<char> room) {
  if (!holds_cr_) return 0;
  if (ends_ == line_ends::crlf)
    refuse(fmt::format(
        "line {} ends in CR without a newline: was the file cut short? --as-is keeps "
        "every CR",
        lines_ + 1));
  holds_cr_ = false;  // of the only line
  room[0] = '\r';
  return 1;
}

std::string text_input::conversions() const {
  std::string what;
  const auto add = [&](std::string_view one) {
    if (!what.empty()) what += " and ";
    what += one;
  };
  if (had_mark_) add(utf16_ ? "UTF-16" : "a byte order mark");
  if (drops_cr() && !options_.crlf) add("CR LF");
  return what;
}

}  // namespace bloomery::cli
