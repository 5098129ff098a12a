// Records after the checksums: what later versions may add without breaking old readers.
//
//   u16 tag | u16 0 | u32 length | bytes          one after the other
//
// A tag with its highest bit set must be understood; others may be skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

inline constexpr std::uint16_t must_understand = 0x8000;
inline constexpr std::uint16_t dialect_tag = must_understand | 1;

// Errors: corrupt (records that do not end where the notes do, a tag twice), unsupported
// (a tag that must be understood and is not `known`; asked: the tag).
// `at`: where the notes begin in the file.
result<void> check_notes(std::span<const std::byte> notes, std::uint16_t known,
                         std::uint64_t at) noexcept;

// The data of the record of that tag, empty if there is none.
// REQUIRES: the notes were checked
std::span<const std::byte> find_note(std::span<const std::byte> notes,
                                     std::uint16_t tag) noexcept;

// A dialect's name and options as text, in one order:
//   fastbloom variant=words bits=9600 hashes=7 seed=42 form=1 part=3
struct dialect_note {
  static constexpr std::size_t room = 192;
  char text[room];
  std::size_t length = 0;
};
dialect_note write_dialect(std::string_view name, const foreign_options& o) noexcept;

struct named_dialect {
  std::string_view name;  // both point into the note
  foreign_options options;
};
// Errors: corrupt.
result<named_dialect> read_dialect(std::span<const std::byte> note,
                                   std::uint64_t at) noexcept;

}  // namespace bloomery::format
