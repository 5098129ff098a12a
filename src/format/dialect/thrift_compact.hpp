// Reads structures of Apache Thrift's compact protocol, and skips what it does not know.
//
// A structure is a row of fields, each a header and a value, ended by a zero byte.  A
// field header is (number's distance to the one before) << 4 | kind, or the kind alone
// and the number as a zigzag varint.  Truth values live in the header's kind.  A list is
// size << 4 | kind, or f << 4 | kind and the size as a varint; a map is a size and, if
// there are any, the two kinds.
//
// Failure is sticky, as in byte_reader: after it every read gives 0 and every structure
// has ended.  Nothing is allocated.  Each element takes a byte at least, so no size is
// accepted that the bytes left cannot hold.  The outermost structure has depth 1; a
// structure, list, set or map has one more than what it lies in, and at most max_depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/byte_reader.hpp"
#include "base/varint.hpp"

namespace bloomery::format {

class thrift_reader {
 public:
  enum kind : std::uint8_t {
    stop = 0,
    yes = 1,
    no = 2,
    i8 = 3,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    real = 7,
    binary = 8,
    list = 9,
    set = 10,
    map = 11,
    structure = 12,
    uuid = 13,
  };
  static constexpr unsigned max_depth = 32;

  // A structure begins with field{}.
  struct field {
    std::int64_t number = 0;
    std::uint8_t type = stop;
  };
  struct elements {
    std::uint8_t type;
    std::uint64_t size;  // at most the bytes that are left
  };

  explicit thrift_reader(std::span<const std::byte> in) noexcept : in_(in) {}

  bool ok() const noexcept { return ok_ && in_.ok(); }
  std::size_t offset() const noexcept { return in_.offset(); }

  // The next field's header; false at the end of the structure.
  bool next(field& f) noexcept {
    const auto byte = in_.read<std::uint8_t>();
    f.type = byte & 15;
    if (!ok() || byte == stop) return false;
    if (f.type == stop || f.type > uuid) return fail();
    f.number = byte >> 4 != 0 ? f.number + (byte >> 4) : read_integer();
    return f.number >= -0x8000 && f.number <= 0x7fff ? ok() : fail();
  }

  // Reads an integer of any of the three widths.
  std::int64_t read_integer() noexcept {
    const std::uint64_t v = read_varint();
    return static_cast<std::int64_t>((v >> 1) ^ (~(v & 1) + 1));
  }
  std::span<const std::byte> read_binary() noexcept {
    const std::uint64_t size = read_varint();
    if (size > in_.left()) fail();
    return in_.take(ok() ? static_cast<std::size_t>(size) : 0);
  }
  elements read_list() noexcept {
    const auto byte = in_.read<std::uint8_t>();
    elements e{static_cast<std::uint8_t>(byte & 15),
               static_cast<std::uint64_t>(byte >> 4)};
    if (e.size == 15) e.size = read_varint();
    if (e.size > in_.left() || (e.size != 0 && (e.type == stop || e.type > uuid))) fail();
    if (!ok()) e = {stop, 0};
    return e;
  }
  // The value of a field, in a structure of that depth.
  void skip(std::uint8_t type, unsigned depth) noexcept {
    if (type != yes && type != no) skip_element(type, depth);
  }
  // One of a list, in a list of that depth: there a truth value takes a byte.
  void skip_element(std::uint8_t type, unsigned depth) noexcept {
    const bool nests = type == list || type == set || type == map || type == structure;
    if (nests && depth >= max_depth) fail();
    if (!ok()) return;
    switch (type) {
      case yes:
      case no:
      case i8:
        in_.take(1);
        return;
      case i16:
      case i32:
      case i64:
        read_varint();
        return;
      case real:
        in_.take(8);
        return;
      case uuid:
        in_.take(16);
        return;
      case binary:
        read_binary();
        return;
      case list:
      case set: {
        const elements e = read_list();
        for (std::uint64_t i = 0; i < e.size && ok(); ++i)
          skip_element(e.type, depth + 1);
        return;
      }
      case map: {
        const std::uint64_t size = read_varint();
        if (size == 0) return;
        const auto types = in_.read<std::uint8_t>();
        if (size > in_.left()) fail();
        for (std::uint64_t i = 0; i < size && ok(); ++i) {
          skip_element(types >> 4, depth + 1);
          skip_element(types & 15, depth + 1);
        }
        return;
      }
      case structure:
        for (field f; next(f);) skip(f.type, depth + 1);
        return;
      default:
        fail();
    }
  }

 private:
  bool fail() noexcept { return ok_ = false; }

  std::uint64_t read_varint() noexcept {
    const auto v = base::read_varint(in_);
    if (!v) fail();
    return v.value_or(0);
  }

  base::byte_reader in_;
  bool ok_ = true;
};

}  // namespace bloomery::format
