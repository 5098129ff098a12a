// Parquet files with little more than filters, in Thrift compact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

using image_bytes = std::vector<std::byte>;

class thrift_writer {
 public:
  void byte(unsigned v) { out.push_back(static_cast<std::byte>(v)); }
  void varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) byte(static_cast<unsigned>(v & 0x7f) | 0x80);
    byte(static_cast<unsigned>(v));
  }
  void zigzag(std::int64_t v) {
    varint((static_cast<std::uint64_t>(v) << 1) ^
           (v < 0 ? ~std::uint64_t{0} : std::uint64_t{0}));
  }
  // Numbers within a structure must ascend by less than 16.
  void field(unsigned number, unsigned type) {
    byte((number - last.back()) << 4 | type);
    last.back() = number;
  }
  void integer(unsigned number, std::int64_t v, unsigned type = 6) {
    field(number, type);
    zigzag(v);
  }
  void text(std::string_view s) {
    varint(s.size());
    for (const char c : s) byte(static_cast<unsigned char>(c));
  }
  void list(unsigned number, unsigned type, std::size_t size) {
    field(number, 9);
    if (size < 15) return byte(static_cast<unsigned>(size) << 4 | type);
    byte(0xf0 | type);
    varint(size);
  }
  void begin() { last.push_back(0); }
  void end() {
    byte(0);
    last.pop_back();
  }

  image_bytes out;
  std::vector<unsigned> last;
};

struct column_image {
  std::string path;         // names between points
  image_bytes filter = {};  // header and bitset; none: the column has none
  int type = 6;
  bool with_length = true, encrypted = false, elsewhere = false;
  std::optional<std::int64_t> offset = {};  // in place of the real one
  std::int64_t length_off_by = 0;
  bool names_itself = false;  // by a path that is empty
};

inline image_bytes parquet_image(const std::vector<std::vector<column_image>>& groups) {
  image_bytes out;
  const auto put = [&](std::span<const std::byte> b) {
    out.insert(out.end(), b.begin(), b.end());
  };
  const std::string_view magic = "PAR1";
  put(std::as_bytes(std::span(magic)));
  out.resize(20, std::byte{0x5a});  // data
  thrift_writer w;
  w.begin();
  w.integer(1, 2, 5);  // version
  w.list(2, 12, 1);    // schema
  w.begin();
  w.field(4, 8);
  w.text("root");
  w.end();
  w.integer(3, 100);
  w.list(4, 12, groups.size());
  for (const auto& columns : groups) {
    w.begin();
    w.list(1, 12, columns.size());
    for (const column_image& c : columns) {
      const auto at = static_cast<std::int64_t>(out.size());
      put(c.filter);
      w.begin();
      if (c.elsewhere) {
        w.field(1, 8);
        w.text("other.parquet");
      } else if (c.names_itself) {
        w.field(1, 8);
        w.text("");
      }
      w.integer(2, 4);
      w.field(3, 12);
      w.begin();
      w.integer(1, c.type, 5);
      w.list(2, 5, 2);  // encodings
      w.zigzag(0);
      w.zigzag(3);
      std::vector<std::string> names{""};
      for (const char p : c.path)
        if (p == '.')
          names.emplace_back();
        else
          names.back() += p;
      w.list(3, 8, names.size());
      for (const auto& n : names) w.text(n);
      w.integer(4, 0, 5);
      w.list(8, 12, 1);  // key and value: pairs of text
      w.begin();
      w.field(1, 8);
      w.text("key");
      w.end();
      if (!c.filter.empty()) {
        w.integer(14, c.offset.value_or(at));
        if (c.with_length)
          w.integer(15, static_cast<std::int64_t>(c.filter.size()) + c.length_off_by, 5);
      }
      w.end();
      if (c.encrypted) {
        w.field(8, 12);
        w.begin();
        w.field(1, 12);
        w.begin();
        w.end();
        w.end();
      }
      w.end();
    }
    w.integer(2, 1000);
    w.end();
  }
  w.field(6, 8);
  w.text("made by a test");
  w.end();
  put(w.out);
  for (unsigned i = 0; i < 4; ++i)
    out.push_back(static_cast<std::byte>((w.out.size() >> (8 * i)) & 0xff));
  put(std::as_bytes(std::span(magic)));
  return out;
}

}  // namespace bloomery::testing
