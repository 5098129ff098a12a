// Small images cut short and with bits flipped: refused or answered, never a crash.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>

namespace bloomery::testing {

// Asks everything a filter can be asked.  Sanitizers and timeouts judge the answers.
inline void ask_everything(foreign_filter& f) {
  for (const std::string_view key :
       {"", "k0", "12345678", "\xff\xfe\xfd", "a longer key"})
    static_cast<void>(f.may_contain(key));
  static_cast<void>(f.fill());
  static_cast<void>(f.estimated_keys());
  for (std::uint64_t i = 0; i < f.parts() && i < 4; ++i) static_cast<void>(f.part(i));
  static_cast<void>(f.encode());
  // What could be inserted must be found.
  if (f.insert("inserted")) {
    if (!f.may_contain("inserted")) throw std::logic_error("inserted, but not found");
  }
}

inline void decode_and_ask(std::string_view dialect, std::span<const std::byte> bytes,
                           const foreign_options& o) {
  // On the heap and no byte more, so that a sanitizer sees a read beyond the end.
  const std::vector<std::byte> exact(bytes.begin(), bytes.end());
  if (auto f = foreign_filter::decode(dialect, exact, o)) ask_everything(*f);
}

inline void abuse(std::string_view dialect, std::span<const std::byte> bytes,
                  const foreign_options& o = {}) {
  for (std::size_t length = 0; length <= bytes.size(); ++length)
    decode_and_ask(dialect, bytes.first(length), o);
  std::vector<std::byte> flipped(bytes.begin(), bytes.end());
  for (std::size_t bit = 0; bit < 8 * flipped.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1u << (bit % 8));
    flipped[bit / 8] ^= mask;
    decode_and_ask(dialect, flipped, o);
    flipped[bit / 8] ^= mask;
  }
  for (const std::byte fill : {std::byte{0}, std::byte{0x7f}, std::byte{0xff}})
    decode_and_ask(dialect, std::vector<std::byte>(bytes.size(), fill), o);
}

}  // namespace bloomery::testing
