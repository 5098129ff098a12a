// Records after the checksums: what later versions may add without breaking old readers.
//
//   u16 tag | u16 0 | u32 length | bytes          one after the other
//
// A tag with its highest bit set must be understood; others may be skipped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

inline constexpr std::uint16_t must_understand = 0x8000;
inline constexpr std::uint16_t dialect_tag = must_understand | 1;  // of foreign bytes
inline constexpr std::uint16_t source_tag = must_understand | 2;   // of all others
inline constexpr std::uint16_t receipts_tag =
    3;  // numbered receipts, of kinds that erase

// Errors: corrupt (records that do not end where the notes do, a tag twice), unsupported
// (a tag that must be understood and is not `known`, asked: the tag; a source of keys
// that is not known). `at`: where the notes begin in the file.
result<void> check_notes(std::span<const std::byte> notes, std::uint16_t known,
                         std::uint64_t at) noexcept;

// The data of the record of that tag, empty if there is none.
// REQUIRES: the notes were checked
std::span<const std::byte> find_note(std::span<const std::byte> notes,
                                     std::uint16_t tag) noexcept;

// What keys are, and where the record begins; 0 if there is none.
// REQUIRES: the notes were checked
struct source_record {
  key_source source = key_source::bytes;
  std::uint64_t at = 0;
};
source_record read_source(std::span<const std::byte> notes, std::uint64_t at) noexcept;

// The record that says what keys are; none of bytes.
struct source_note {
  explicit source_note(key_source source) noexcept;
  std::span<const std::byte> bytes() const noexcept {
    return std::span(room).first(length);
  }

  std::array<std::byte, 8 + 16> room;
  std::size_t length = 0;
};

// All records of a native filter.
class filter_notes {
 public:
  // Errors: out_of_memory.
  static result<filter_notes> make(key_source source,
                                   const receipt_ledger* receipts) noexcept;
  std::span<const std::byte> bytes() const noexcept { return room_.bytes().first(size_); }

 private:
  pages room_;
  std::size_t size_ = 0;
};
std::size_t notes_size(key_source source, const receipt_ledger* receipts) noexcept;

// Reads the record of receipts, if there is one.  Errors: corrupt, at the record;
// out_of_memory.  REQUIRES: the notes were checked
result<void> read_receipts(std::span<const std::byte> notes, std::uint64_t at,
                           receipt_ledger& to) noexcept;

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
// Errors: corrupt (an empty note), unsupported (an option that is not known, comes twice
// or in another order, or whose value is empty or out of range).
result<named_dialect> read_dialect(std::span<const std::byte> note,
                                   std::uint64_t at) noexcept;

}  // namespace bloomery::format
