// An error as a sentence, without an allocation.
//
//   cannot open nope.bloom: No such file or directory
//   users.bloom: the header is damaged (corrupt at byte 124: needs 7, found 9)
//
//   std::fprintf(stderr, "%s\n", bloomery::text_of(f.error()).c_str());
//
// print.hpp has std::string and streams.
#pragma once

#include <string_view>

#include <bloomery/detail/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class error_text {
 public:
  const char* c_str() const noexcept { return chars_; }
  operator std::string_view() const noexcept { return chars_; }

 private:
  friend BLOOMERY_EXPORT error_text text_of(const error& e) noexcept;
  char chars_[512];  // longer sentences are cut
};

// What is wrong, where, and what the operating system says, in words.
BLOOMERY_EXPORT error_text text_of(const error& e) noexcept;

}  // namespace bloomery::inline v1
