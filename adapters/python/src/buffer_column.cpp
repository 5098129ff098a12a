#include "buffer_column.hpp"

#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "raise.hpp"
#include "strided_column.hpp"

namespace bloomery::py {
namespace {

// NumPy's type U: four bytes per character, zeros at the end are padding.
class wide_text_column final : public column {
 public:
  wide_text_column(std::size_t size, strided elements, std::size_t width)
      : column(size, sort::texts, false) {
    ends_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      append(elements.at(i), width);
      ends_.push_back(utf8_.size());
    }
  }
  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t begin = first + i == 0 ? 0 : ends_[first + i - 1];
      out[i] = std::string_view(utf8_).substr(begin, ends_[first + i] - begin);
    }
  }

 private:
  void append(const char* from, std::size_t width) {
    std::size_t kept = utf8_.size();
    for (std::size_t i = 0; i < width; ++i) {
      char32_t c;
      std::memcpy(&c, from + 4 * i, sizeof c);
      put(c);
      if (c != 0) kept = utf8_.size();
    }
    utf8_.resize(kept);
  }
  void put(char32_t c) {
    const auto byte = [&](char32_t b) { utf8_.push_back(static_cast<char>(b)); };
    const auto tail = [&](int shift) { byte(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) return byte(c);
    if (c < 0x800) return byte(0xc0 | c >> 6), tail(0);
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      raise_value("text with a code point that UTF-8 does not have");
    if (c < 0x10000) return byte(0xe0 | c >> 12), tail(6), tail(0);
    byte(0xf0 | c >> 18), tail(12), tail(6), tail(0);
  }

  std::string utf8_;
  std::vector<std::size_t> ends_;
};

// "16s": the number before the letter, 1 where there is none; false: something else.
bool is_repeated(std::string_view format, char letter) noexcept {
  if (format.empty() || format.back() != letter) return false;
  format.remove_suffix(1);
  return format.find_first_not_of("0123456789") == std::string_view::npos;
}

template <class T>
std::unique_ptr<column> integers(std::size_t size, strided elements) {
  return std::make_unique<integer_column<T>>(size, elements, validity());
}

std::unique_ptr<column> integers_of(bool is_signed, std::size_t width, std::size_t size,
                                    strided from) {
  switch (width) {
    case 1:
      return is_signed ? integers<std::int8_t>(size, from)
                       : integers<std::uint8_t>(size, from);
    case 2:
      return is_signed ? integers<std::int16_t>(size, from)
                       : integers<std::uint16_t>(size, from);
    case 4:
      return is_signed ? integers<std::int32_t>(size, from)
                       : integers<std::uint32_t>(size, from);
    default:
      return is_signed ? integers<std::int64_t>(size, from)
                       : integers<std::uint64_t>(size, from);
  }
}

[[noreturn]] void refuse(std::string_view format) {
  const std::string name = "an array of the format '" + std::string(format) + "'";
  if (format == "?") raise_type(name + ", bool, is no array of keys");
  if (format == "d" || format == "f" || format == "e" || format == "g")
    raise_type(name + ", floating point, is no array of keys: write them as text");
  raise_type(name + " is no array of keys: pass integers, bytes (S, V) or text (U)");
}

}  // namespace

std::unique_ptr<column> column_of(const Py_buffer& b) {
  if (b.ndim != 1) raise_type("an array of keys has one dimension");
  std::string_view format = b.format == nullptr ? "B" : b.format;
  const bool is_little = std::endian::native == std::endian::little;
  if (format.starts_with('@') || format.starts_with('=') ||
      format.starts_with(is_little ? '<' : '>'))
    format.remove_prefix(1);
  else if (format.starts_with('<') || format.starts_with('>') ||
           format.starts_with('!')) {
    if (!is_repeated(format.substr(1), 's'))
      raise_type(
          "an array of the other byte order: write array.astype(array.dtype.newbyteorder("
          "'='))");
    format.remove_prefix(1);
  }
  if (format == "O") return nullptr;
  const auto size = static_cast<std::size_t>(b.shape[0]);
  const auto width = static_cast<std::size_t>(b.itemsize);
  const strided elements{static_cast<const char*>(b.buf),
                         b.strides == nullptr ? b.itemsize : b.strides[0]};
  constexpr std::string_view is_signed = "bhilqn", is_unsigned = "BHILQN";
  if (format.size() == 1 && (width == 1 || width == 2 || width == 4 || width == 8)) {
    if (is_signed.find(format[0]) != is_signed.npos)
      return integers_of(true, width, size, elements);
    if (is_unsigned.find(format[0]) != is_unsigned.npos)
      return integers_of(false, width, size, elements);
  }
  if (is_repeated(format, 's'))
    return std::make_unique<fixed_bytes_column>(size, elements, width,
                                                trailing_zeros::dropped, validity());
  if (is_repeated(format, 'x'))
    return std::make_unique<fixed_bytes_column>(size, elements, width,
                                                trailing_zeros::kept, validity());
  if (is_repeated(format, 'w'))
    return std::make_unique<wide_text_column>(size, elements, width / 4);
  refuse(format);
}

}  // namespace bloomery::py
