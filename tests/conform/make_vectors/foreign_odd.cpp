// Rows of dialect_hostile.json about what a format allows, or nearly, and nobody writes.
#include <string>

#include "base/crc32c.hpp"
#include "make_vectors/foreign_rows.hpp"
#include "nori_images.hpp"

namespace bloomery::vectors {
namespace {

using testing::from_hex;

// A table of format 2 whose one block has no filter, with this index.
image_bytes table_of(std::string_view index_hex) {
  image_bytes out(6);
  const image_bytes index = from_hex(index_hex);
  out.insert(out.end(), index.begin(), index.end());
  image_bytes foot;
  testing::put(foot, std::uint64_t{6});
  testing::put(foot, std::uint64_t{index.size()});
  foot.resize(45);
  foot.push_back(std::byte{2});
  foot.resize(52);
  for (const char c : std::string_view("NORISSTL")) foot.push_back(std::byte(c));
  testing::put(foot, base::crc32c(foot));
  out.insert(out.end(), foot.begin(), foot.end());
  return out;
}

std::string times(std::size_t n, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

// As many structures or lists, one in the other, in a field of a structure.
std::string nested(std::size_t levels, bool lists) {
  if (lists) return "19" + times(levels - 1, "19") + "00";
  return times(levels, "1c") + times(levels, "00");
}

const std::string bits =
    "1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020";
const std::string size = "1540", unions = "1c1c00001c1c00001c1c0000";

// A file of one filter, at 4, and this footer.
image_bytes file_of(const std::string& footer) {
  image_bytes out = from_hex("50415231" + size + unions + "00" + bits + footer);
  testing::put(out, static_cast<std::uint32_t>(footer.size() / 2));
  for (const char c : std::string_view("PAR1")) out.push_back(std::byte(c));
  return out;
}

}  // namespace

void odd_nori(json& rows) {
  rows_of table(rows, "nori");
  const std::string block = "000000000000000006000000", one = "01000000";
  table.add("an index", table_of("00" + block + one));
  table.add("a length longer than need be", table_of("8000" + block + one));
  table.add("a length of ten bytes", table_of(times(9, "80") + "00" + block + one));
  table.add("a length of eleven bytes", table_of(times(10, "80") + "00" + block + one));
  table.add("a length of 65 bits", table_of(times(9, "80") + "02" + block + one));
  table.add("a length of 2^64 - 1", table_of(times(9, "ff") + "01" + block + one));
  table.add("a length that does not end", table_of("8080" + one));
  table.add("a key that does not end", table_of("0261" + one));
  table.add("a size that does not end", table_of("00" + block.substr(0, 18) + one));
  rows_of quotient(rows, "nori", "variant=quotient");
  // Half of all keys have one of these four.
  quotient.add("fingerprints in other slots than theirs",
               from_hex("0103000400000008000000"
                        "01040000000000"
                        "00"
                        "01050000000000"
                        "00"
                        "01060000000000"
                        "00"
                        "01070000000000"
                        "00"));
}

void odd_parquet(json& rows) {
  rows_of header(rows, "parquet");
  const auto add = [&](const std::string& what, const std::string& head) {
    header.add("a header: " + what, from_hex(head + bits));
  };
  const auto with = [&](const std::string& what, const std::string& field) {
    add(what, size + unions + field + "00");
  };
  with("field 32767", "05feff0302");
  with("field 32768", "0580800402");
  with("field 32768, after 32767", "05feff03021502");
  with("field -32768", "05ffff0302");
  with("field -32769", "0581800402");
  with("field 65537 is not field 1", "0582800804");
  with("16 bytes of type 13", "1d" + times(16, "07"));
  with("type 14", "1e00");
  with("a stop that is not 00", "10");
  with("an empty list of type 15", "190f");
  with("a list of type 15", "191f00");
  with("an empty map", "1b00");
  with("structures, to depth 32", nested(31, false));
  with("structures, to depth 33", nested(32, false));
  with("lists, to depth 32", nested(31, true));
  with("lists, to depth 33", nested(32, true));
  with("a number in depth 32", times(31, "1c") + "1502" + times(31, "00"));
  with("an empty map in depth 33", times(31, "1c") + "1b00" + times(31, "00"));
  with("the algorithm again, and it counts", "0c041c0000");
  with("another algorithm, and it counts", "0c042c0000");
  with("128 bytes",
       "18"
       "6f" +
           times(111, "00"));
  with("129 bytes",
       "18"
       "70" +
           times(112, "00"));
  add("the size twice, of which the last counts",
      "1542"
      "050240" +
          unions + "00");
  add("another algorithm, then the one", size +
                                             "1c2c0000"
                                             "0c041c0000" +
                                             unions.substr(8) + "00");
  add("member 1 twice", size + "1c1c000c020000" + unions.substr(8) + "00");
  add("member 1, of another type", size + "1c150200" + unions.substr(8) + "00");
  add("a size of ten bytes", "15c0" + times(8, "80") + "00" + unions + "00");
  add("a size of 65 bits", "15c0" + times(8, "80") + "02" + unions + "00");
  add("a size of eleven bytes", "15c0" + times(9, "80") + "00" + unions + "00");

  rows_of file(rows, "parquet", "variant=file");
  const std::string meta = "3ce6080000", column = "1c" + meta,
                    group = "19" + column + "00";
  const auto put = [&](const std::string& what, const std::string& footer) {
    file.add("a footer: " + what, file_of(footer));
  };
  put("one group of one column", "491c" + group + "00");
  put("bytes after it", "491c" + group +
                            "00"
                            "ffff");
  put("groups of another type, and then groups",
      "491502"
      "09081c" +
          group + "00");
  put("groups of another type",
      "491502"
      "00");
  put("a set of groups", "4a1c" + group + "00");
  put("columns of another type, and then columns",
      "491c"
      "191502"
      "0902" +
          column +
          "00"
          "00");
  put("groups twice", "491c" + group + "09081c" + group + "00");
  put("a path of another type",
      "491c"
      "191c"
      "3c391502"
      "b60800"
      "00"
      "00"
      "00");
  put("meta data twice, each with a part",
      "491c"
      "191c"
      "3c150200"
      "0c06e60800"
      "00"
      "00"
      "00");
  put("a path, and then an empty one",
      "491c"
      "191c"
      "180161"
      "080200"
      "2ce60800"
      "00"
      "00"
      "00");
  put("an empty path, and then one",
      "491c"
      "191c"
      "1800"
      "08020161"
      "2ce60800"
      "00"
      "00"
      "00");
  put("a filter before the data",
      "491c"
      "191c"
      "3ce60600"
      "00"
      "00"
      "00");
  put("a filter behind the data",
      "491c"
      "191c"
      "3ce6660000"
      "00"
      "00");
  put("another length",
      "491c"
      "191c"
      "3ce60815600000"
      "00"
      "00");
  put("the right length",
      "491c"
      "191c"
      "3ce608155e0000"
      "00"
      "00");
  put("one that does not end", "491c" + group);
  put("a list deeper than 32", "491c" + group + nested(32, true) + "00");
  put("a list in meta data, deeper than 32",
      "491c"
      "191c"
      "3c19" +
          times(26, "19") +
          "00"
          "d60800"
          "00"
          "00"
          "00");
  put("a list in meta data, to depth 32",
      "491c"
      "191c"
      "3c19" +
          times(25, "19") +
          "00"
          "d60800"
          "00"
          "00"
          "00");
  put("more columns than bytes, and the first is wrong",
      "491c"
      "19fc7f"
      "3ce60600"
      "00"
      "00"
      "00");
}

}  // namespace bloomery::vectors
