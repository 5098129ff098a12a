#include "format/dialect/bits_and_blooms_json.hpp"

#include <limits>

#include "format/dialect/base64.hpp"
#include "format/dialect/check.hpp"

namespace bloomery::format {
namespace {

class cursor {
 public:
  explicit cursor(std::span<const std::byte> text) noexcept : text_(text) {}

  std::size_t at() const noexcept { return at_; }
  bool at_end() const noexcept { return at_ == text_.size(); }

  void skip_spaces() noexcept {
    while (is(' ') || is('\t') || is('\n') || is('\r')) ++at_;
  }
  bool is(char c) const noexcept {
    return !at_end() && text_[at_] == static_cast<std::byte>(c);
  }
  bool take(char c) noexcept {
    const bool there = is(c);
    at_ += there;
    return there;
  }
  // A character between two quotes; 0 if there is something else.
  char take_name() noexcept {
    if (text_.size() - at_ < 3 || !is('"') || text_[at_ + 2] != std::byte{'"'}) return 0;
    at_ += 3;
    return static_cast<char>(text_[at_ - 2]);
  }
  bool take_number(std::uint64_t& v) noexcept {
    const std::size_t begin = at_;
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    for (v = 0; !at_end() && text_[at_] >= std::byte{'0'} && text_[at_] <= std::byte{'9'};
         ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_]) - '0';
      if (v > (most - digit) / 10) return false;
      v = 10 * v + digit;
    }
    return at_ != begin;
  }
  void skip_base64() noexcept {
    while (!at_end() && base64_value(text_[at_]) != not_base64) ++at_;
  }

 private:
  std::span<const std::byte> text_;
  std::size_t at_ = 0;
};

result<void> parse_base64(cursor& in, bits_json& j) noexcept {
  if (!in.take('"')) return damaged("b is not a string", in.at());
  j.b_at = in.at();
  in.skip_base64();
  const std::uint64_t padding = in.take('=') ? (in.take('=') ? 2 : 1) : 0;
  j.b_length = in.at() - j.b_at;
  if (!in.take('"')) return damaged("not a character of base64", in.at());
  if (j.b_length % 4 != 0)
    return damaged("base64 that does not come in fours", j.b_at + j.b_length);
  j.b_bytes = j.b_length / 4 * 3 - padding;
  return {};
}

}  // namespace

result<bits_json> parse_bits_json(std::span<const std::byte> text) noexcept {
  cursor in(text);
  bits_json j;
  bool m = false, k = false, b = false;
  in.skip_spaces();
  if (!in.take('{')) return damaged("not a JSON object", in.at());
  for (int member = 0; member < 3; ++member) {
    in.skip_spaces();
    if (member != 0) {
      if (!in.take(',')) return damaged("m, k and b are expected", in.at());
      in.skip_spaces();
    }
    const std::size_t name_at = in.at();
    const char name = in.take_name();
    bool* const seen = name == 'm' ? &m : name == 'k' ? &k : name == 'b' ? &b : nullptr;
    if (seen == nullptr || *seen)
      return damaged("m, k and b are expected, each once", name_at);
    *seen = true;
    in.skip_spaces();
    if (!in.take(':')) return damaged("a colon is missing", in.at());
    in.skip_spaces();
    if (name == 'b') {
      if (auto ok = parse_base64(in, j); !ok) return ok.error();
    } else {
      (name == 'm' ? j.m_at : j.k_at) = in.at();
      if (!in.take_number(name == 'm' ? j.m : j.k))
        return damaged("not an integer below 2^64", in.at());
    }
  }
  in.skip_spaces();
  if (!in.take('}')) return damaged("the object does not end", in.at());
  in.skip_spaces();
  if (!in.at_end()) return damaged("trailing bytes after the filter", in.at());
  return j;
}

}  // namespace bloomery::format
