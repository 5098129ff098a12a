#include "keys/text_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

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

line_ends::kind kind_of_lines(const text_options& o) {
  return o.crlf             ? line_ends::kind::crlf_or_lf
         : o.nul || o.as_is ? line_ends::kind::lf
                            : line_ends::kind::by_first_line;
}

}  // namespace

text_input::text_input(const std::string& file, const text_options& o, progress& shown)
    : bytes_(file, how_to_unpack(o), shown), options_(o), lines_(kind_of_lines(o)) {}

void text_input::refuse(const std::string& why) const {
  throw failure(fmt::format("{}: {}", name(), why));
}

std::size_t text_input::read(std::span<char> room) {
  if (lines_.is_done() && started_) return read_text(room);
  for (;;) {
    const std::size_t held = lines_.holds_cr() ? 1 : 0;
    if (held != 0) room[0] = '\r';
    const std::size_t got = read_text(room.subspan(held));
    const std::size_t n = got != 0 ? lines_.convert(room.first(held + got)) : held;
    if (got == 0) lines_.finish();
    if (!lines_.why_not().empty()) refuse(lines_.why_not());
    if (n != 0 || got == 0) return n;
  }
}

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
    if (wanted != utf8_mark) utf16_.emplace(wanted == utf16be_mark, mark_size_);
    return;
  }
  // Records that end in NUL may begin with anything: text_check refuses marks.
  if (options_.nul || head.starts_with(utf32le_mark)) return;
  if (head.starts_with(utf8_mark)) mark_size_ = utf8_mark.size();
  if (head.starts_with(utf16le_mark) || head.starts_with(utf16be_mark)) {
    mark_size_ = utf16le_mark.size();
    utf16_.emplace(head.starts_with(utf16be_mark), mark_size_);
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

std::string text_input::conversions() const {
  std::string what;
  if (had_mark_) what = utf16_ ? "UTF-16 converted to UTF-8" : "byte order mark dropped";
  if (lines_.was_noticed())
    what += what.empty() ? "CR LF converted to LF" : ", CR LF to LF";
  return what;
}

}  // namespace bloomery::cli
