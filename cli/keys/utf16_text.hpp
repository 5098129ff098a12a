// UTF-16 text into UTF-8, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

class utf16_text {
 public:
  // `mark_size` bytes came before.
  utf16_text(bool is_big_endian, std::size_t mark_size)
      : is_big_endian_(is_big_endian), seen_(mark_size) {}

  // Bytes of UTF-8 that n bytes of UTF-16 become, at most.
  static constexpr std::size_t room_for(std::size_t n) { return 3 * (n / 2 + 1) + 1; }

  // Appends the text of the next bytes to `to`, which has room_for() them; returns its
  // length.  What is not UTF-16 is in why_not() then, and nothing behind it is converted.
  std::size_t convert(std::string_view bytes, char* to);
  // Nothing follows.
  void finish();
  // "the surrogate d800 at byte 12 (line 3) is not half of a pair"; empty: nothing.
  const std::string& why_not() const { return why_not_; }

 private:
  char* put(std::uint32_t unit, char* to);
  void refuse_surrogate(std::uint32_t unit, std::uint64_t at);

  bool is_big_endian_;
  bool has_half_ = false;  // the first byte of a unit has come
  unsigned char half_ = 0;
  std::uint32_t high_ = 0;  // a surrogate that waits for its other half; 0: none
  std::uint64_t seen_;      // bytes of the mark and of whole units
  std::uint64_t line_ = 1;
  std::string why_not_;
};

}  // namespace bloomery::cli
