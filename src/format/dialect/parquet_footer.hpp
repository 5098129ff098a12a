// The columns in the footer of a Parquet file, a structure of Thrift's compact protocol.
//
// FileMetaData.4 is the list of row groups; RowGroup.1 that of its columns;
// ColumnChunk.1 names another file, .3 is the ColumnMetaData, .8 and .9 say that it is
// encrypted; ColumnMetaData.1 is the physical type, .3 the path in the schema, .14 where
// the filter's header lies and .15 how long header and bitset are.  All else is skipped.
// The numbers that `skip` is given are depths: footer 1, groups 2, group 3, columns 4,
// column 5, meta data 6.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/dialect/thrift_compact.hpp"

namespace bloomery::format::parquet {

// One chunk of a column, as far as a filter is concerned.
struct column {
  std::uint64_t row_group = 0;
  std::int64_t type = -1;
  std::size_t path_at = 0;    // the list of names, in the footer; 0: none
  std::size_t offset_at = 0;  // which byte of the footer has ...
  std::int64_t offset = 0;    // ... this of the filter; 0: there is none
  std::size_t length_at = 0;  // which has ...
  std::int64_t length = 0;    // ... this of header and bitset; 0: not recorded
  bool encrypted = false, elsewhere = false;

  bool has_filter() const noexcept { return offset_at != 0; }
};

inline void read_meta_data(thrift_reader& in, column& c) noexcept {
  for (thrift_reader::field f; in.next(f);) {
    if (f.number == 1 && f.type == thrift_reader::i32) {
      c.type = in.read_integer();
    } else if (f.number == 3 && f.type == thrift_reader::list) {
      c.path_at = in.offset();
      in.skip(f.type, 6);
    } else if (f.number == 14 && f.type == thrift_reader::i64) {
      c.offset_at = in.offset();
      c.offset = in.read_integer();
    } else if (f.number == 15 && f.type == thrift_reader::i32) {
      c.length_at = in.offset();
      c.length = in.read_integer();
    } else {
      in.skip(f.type, 6);
    }
  }
}

inline void read_column(thrift_reader& in, column& c) noexcept {
  for (thrift_reader::field f; in.next(f);) {
    if (f.number == 3 && f.type == thrift_reader::structure) {
      read_meta_data(in, c);
    } else if (f.number == 1 && f.type == thrift_reader::binary) {
      c.elsewhere = !in.read_binary().empty();
    } else {
      c.encrypted |= f.number == 8 || f.number == 9;
      in.skip(f.type, 5);
    }
  }
}

// Calls visit(column) for every column chunk until it returns false.
template <class Visit>
bool walk_group(thrift_reader& in, std::uint64_t group, Visit& visit) noexcept {
  for (thrift_reader::field f; in.next(f);) {
    if (f.number != 1 || f.type != thrift_reader::list) {
      in.skip(f.type, 3);
      continue;
    }
    const auto columns = in.read_list();
    for (std::uint64_t i = 0; i < columns.size && in.ok(); ++i) {
      if (columns.type != thrift_reader::structure) {
        in.skip_element(columns.type, 4);
        continue;
      }
      column c;
      c.row_group = group;
      read_column(in, c);
      if (in.ok() && !visit(c)) return false;
    }
  }
  return true;
}

template <class Visit>
void walk_footer(thrift_reader& in, Visit visit) noexcept {
  for (thrift_reader::field f; in.next(f);) {
    if (f.number != 4 || f.type != thrift_reader::list) {
      in.skip(f.type, 1);
      continue;
    }
    const auto groups = in.read_list();
    for (std::uint64_t i = 0; i < groups.size && in.ok(); ++i) {
      if (groups.type != thrift_reader::structure)
        in.skip_element(groups.type, 2);
      else if (!walk_group(in, i, visit))
        return;
    }
  }
}

}  // namespace bloomery::format::parquet
