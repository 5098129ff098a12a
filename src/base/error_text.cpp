#include <bloomery/detail/error_text.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <span>

#include <bloomery/detail/base/contract.hpp>

namespace bloomery::inline v1 {
namespace {

// Appends to a sentence, as far as there is room.
class sentence {
 public:
  explicit sentence(std::span<char> room) noexcept : room_(room) { room_[0] = '\0'; }

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) noexcept {
    std::va_list values;
    va_start(values, format);
    const int n = std::vsnprintf(room_.data(), room_.size(), format, values);
    va_end(values);
    if (n > 0)
      room_ = room_.last(room_.size() -
                         std::min(room_.size() - 1, static_cast<std::size_t>(n)));
  }

 private:
  std::span<char> room_;
};

// strerror_r gives the text or a status, as the C library pleases.
[[maybe_unused]] const char* words_of(const char* text, const char*) noexcept {
  return text;
}
[[maybe_unused]] const char* words_of(int status, const char* room) noexcept {
  return status == 0 ? room : "unknown error";
}

// "cannot open nope: No such file or directory"
void add_refusal(sentence& s, const error& e) noexcept {
  const bool is_verb = std::strncmp(e.what, "cannot ", 7) == 0;
  if (e.path.empty())
    s.add("%s", e.what);
  else if (is_verb)
    s.add("%s %s", e.what, e.path.c_str());
  else
    s.add("%s: %s", e.path.c_str(), e.what);
  if (e.system_error() == 0) return;
  char room[128] = "";
  s.add(": %s", words_of(::strerror_r(e.system_error(), room, sizeof room), room));
}

// "invalid argument"
void add_code(sentence& s, errc code) noexcept {
  for (const char* c = name_of(code); *c != '\0'; ++c) s.add("%c", *c == '_' ? ' ' : *c);
}

// " at byte 500: needs 1199, found 488", as far as it is known.
void add_numbers(sentence& s, const error& e) noexcept {
  const bool any = e.asked != 0 || e.possible != 0;
  switch (e.code) {
    case errc::corrupt:
      s.add(" at byte %" PRIu64, e.at);
      if (any) s.add(": needs %.15g, found %.15g", e.asked, e.possible);
      break;
    case errc::unsupported:
      if (e.at != 0) s.add(" at byte %" PRIu64, e.at);
      if (any) s.add(": found %.15g", e.asked);
      if (e.possible != 0) s.add(", known: %.15g", e.possible);
      break;
    case errc::incompatible:
      if (e.at != 0)
        s.add(" at byte %" PRIu64, e.at);
      else if (any)
        s.add(": %.15g against %.15g", e.asked, e.possible);
      break;
    default:
      if (e.asked != 0) s.add(": asked %.6g", e.asked);
      if (e.possible != 0)
        s.add("%s possible %.6g", e.asked != 0 ? "," : ":", e.possible);
  }
}

}  // namespace

error_text text_of(const error& e) noexcept {
  error_text text;
  sentence s(text.chars_);
  if (e.code == errc::io) {
    add_refusal(s, e);
    return text;
  }
  if (!e.path.empty()) s.add("%s: ", e.path.c_str());
  s.add("%s (", e.what);
  add_code(s, e.code);
  add_numbers(s, e);
  s.add(")");
  return text;
}

void detail::no_value(const error& e) noexcept { contract_broken(text_of(e).c_str()); }

}  // namespace bloomery::inline v1
