// spec/vectors/dialect_files.json and dialect_hostile.json: the forms of nori,
// atomicbloom and parquet that are only read, and files of theirs to refuse.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "base/crc32c.hpp"
#include "make_vectors/foreign_rows.hpp"
#include "must.hpp"
#include "nori_images.hpp"
#include "parquet_images.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::from_hex;
using testing::must;
using testing::numbered;

image_bytes written(std::string_view dialect, const foreign_params& p,
                    const std::vector<std::string>& keys) {
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : keys) must(f.insert(k));
  return {f.bytes().begin(), f.bytes().end()};
}
image_bytes nori_section(std::string_view variant = {}) {
  foreign_params p;
  p.keys = 10;
  p.variant = variant;
  return written("nori", p, numbered("k", 10));
}
image_bytes parquet_filter(const std::vector<std::string>& keys, std::uint64_t bytes) {
  foreign_params p;
  p.bits = 8 * bytes;
  return written("parquet", p, keys);
}

std::vector<std::string> sorted(std::vector<std::string> keys) {
  std::ranges::sort(keys);
  return keys;
}

image_bytes two_groups() {
  const auto keys = numbered("k", 6);
  return testing::parquet_image(
      {{{.path = "id", .filter = parquet_filter({keys[0], keys[1]}, 64)},
        {.path = "none"}},
       {{.path = "id", .filter = parquet_filter({keys[2]}, 96)},
        {.path = "list.element.name",
         .filter = parquet_filter({keys[3]}, 32),
         .with_length = false}}});
}

image_bytes two_widths() {
  const std::string number("\x2a\0\0\0\0\0\0\0", 8);
  return testing::parquet_image(
      {{{.path = "narrow",
         .filter = parquet_filter({number.substr(0, 4)}, 32),
         .type = 1},
        {.path = "wide", .filter = parquet_filter({number}, 32), .type = 2}}});
}

// The table with bytes of its footer changed and the footer's checksum made right.
image_bytes with_footer(image_bytes table, std::size_t at, std::string_view hex) {
  const std::size_t footer = table.size() - 64;
  const image_bytes change = from_hex(hex);
  std::ranges::copy(change, table.begin() + static_cast<std::ptrdiff_t>(footer + at));
  const auto sum = base::crc32c(std::span(table).subspan(footer, 60));
  table.resize(footer + 60);
  testing::put(table, sum);
  return table;
}

image_bytes with_byte(image_bytes image, std::size_t at, unsigned value) {
  image.at(at) = static_cast<std::byte>(value);
  return image;
}

void add_tables(json& rows) {
  const auto keys = sorted(numbered("k", 10));
  for (const std::uint8_t format : {std::uint8_t{0}, std::uint8_t{1}})
    rows_of(rows, "nori")
        .add("a table of format " + std::to_string(format),
             testing::bloom_table(nori_section(), format));
  rows_of(rows, "nori")
      .add("a table of format 1, with an old section",
           testing::bloom_table(nori_section("old-mod")));
  const auto blocks = testing::block_table(keys, 4, 4);
  rows_of(rows, "nori").add("a table of format 2", blocks);
  rows_of(rows, "nori", "variant=sstable").add("the same, named", blocks);
  for (const char* part : {"part=0", "part=1", "part=2", "part=3"})
    rows_of(rows, "nori", part).add(std::string("the same, ") + part, blocks, false);
  rows_of(rows, "nori").add("blocks without filters", testing::block_table(keys, 4, 0));
  rows_of(rows, "nori")
      .add("compressed blocks", testing::block_table(keys, 4, 4, 1), true);
  for (const unsigned q : {1u, 4u, 5u})
    rows_of(rows, "nori", "variant=quotient")
        .add("a quotient filter, q = " + std::to_string(q),
             testing::quotient_image(numbered("k", 10), q, 7));
  rows_of(rows, "nori", "variant=quotient")
      .add("a quotient filter of no slots", from_hex("0100000000000000000000"));
}

void add_parquet(json& rows) {
  rows_of(rows, "parquet").add("a file of two row groups", two_groups());
  for (const char* part : {"part=0", "part=2", "part=3"})
    rows_of(rows, "parquet", part)
        .add(std::string("the same, ") + part, two_groups(), false);
  const std::string number = "x:2a00000000000000 x:2a000000";
  for (const char* how :
       {"part=0", "part=1", "part=0 form=integer", "part=1 form=integer", "form=integer"})
    rows_of(rows, "parquet", how)
        .add(std::string("columns of INT32 and INT64, ") + how, two_widths(), true,
             number);
  rows_of(rows, "parquet")
      .add("columns whose path is empty, not empty, and of encryption",
           testing::parquet_image(
               {{{.path = "here",
                  .filter = parquet_filter({"k0"}, 32),
                  .names_itself = true},
                 {.path = "far", .filter = parquet_filter({"k1"}, 32), .elsewhere = true},
                 {.path = "secret",
                  .filter = parquet_filter({"k2"}, 32),
                  .encrypted = true}}}));
  // Fields after the known ones: a reader skips what it does not know.
  const std::string bits =
      "1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020";
  for (const char* extra : {"11", "154e", "170000000000000000", "1803616263",
                            "193c000000", "1b01580203616263", "1c1c15020000", "08c80100"})
    rows_of(rows, "parquet")
        .add(std::string("a header with an unknown field ") + extra,
             from_hex("15401c1c00001c1c00001c1c0000" + std::string(extra) + "00" + bits));
  rows_of(rows, "parquet", "variant=bitset").add("a bare bitset", from_hex(bits + bits));
}

void refuse_nori(json& rows) {
  rows_of section(rows, "nori");
  for (const char* hex : {"", "07", "0700000000000000000000",
                          "000000000800000000000000ff", "070000000900000000000000ff",
                          "070000000800000000000000ffff", "07000000ffffffffffffffffff",
                          "07000000ffffffffffffffff", "0700000001000000000000800a"})
    section.add("a section", from_hex(hex));
  section.add("k = 0 and m = 0 are a filter of nothing",
              from_hex("000000000000000000000000"));
  section.add("k = 2^32 - 1", from_hex("ffffffff0800000000000000ff"));
  rows_of(rows, "nori", "variant=current")
      .add("m is no power of two", nori_section("old-mod"));
  rows_of(rows, "nori", "variant=old-mod").add("any m", nori_section());
  rows_of quotient(rows, "nori", "variant=quotient");
  for (const char* hex :
       {"", "01010700000000020000", "0201070000000002000000",
        "03010700000000020000000000", "01200700000000020000000000",
        "01011100000000020000000000", "01010700000000030000000000",
        "01000700000000010000000000", "0101070000000002000000",
        "01010700000000020000000002", "010107000000000200000000000000",
        "01010701000000020000000000", "0101070100000002000000000102000000050000",
        "010107010000000200000000010100000080", "01010701000000020000000001010000008000",
        "011f0700000000000000800000"})
    quotient.add("a quotient filter", from_hex(hex));

  const auto bloom = testing::bloom_table(nori_section());
  const std::size_t foot = bloom.size() - 64;
  rows_of table(rows, "nori");
  table.add("a footer with another checksum", with_byte(bloom, foot, 1));
  table.add("format 3", with_footer(bloom, 45, "03"));
  table.add("a section far away", with_footer(bloom, 16, "ffffffffffffffff"));
  table.add("a section too long", with_footer(bloom, 24, "ffffffffffffffff"));
  table.add("a section that ends early", with_footer(bloom, 24, "0d"));
  rows_of named(rows, "nori", "variant=sstable");
  named.add("another mark", with_byte(bloom, bloom.size() - 12, 'n'));
  named.add("63 bytes", image_bytes(bloom.begin(), bloom.begin() + 63));
  const auto blocks = testing::block_table({"a", "b", "c"}, 2, 3);
  const std::size_t end = blocks.size() - 64, index = end - 2 * 14 - 4;
  table.add("an index that begins elsewhere", with_footer(blocks, 0, "ffff"));
  table.add("an index of 3 bytes", with_footer(blocks, 8, "03"));
  table.add("keys do not ascend", with_byte(blocks, index + 15, 'a'));
  table.add("blocks overlap", with_byte(blocks, index + 16, 0));
  table.add("more blocks than entries", with_byte(blocks, index + 28, 3));
  table.add("fewer blocks than entries", with_byte(blocks, index + 28, 1));
  table.add("a key longer than the index", with_byte(blocks, index, 0xff));
  table.add("a filter larger than its block", with_byte(blocks, index - 2, 0xff));
}

// An atomicbloom of 20032 bits, all set but the one that "k0" has at this step.
image_bytes one_clear_bit(std::uint32_t hashes, std::uint64_t step) {
  constexpr std::uint64_t bits = 20032;
  image_bytes out;
  testing::put(out, bits);
  testing::put(out, std::uint64_t{hashes});
  testing::put(out, bits / 64);
  out.resize(24 + bits / 8, std::byte{0xff});
  const std::uint64_t h1 = hash::xxh64("k0", 0), h2 = std::rotr(h1, 33);
  const std::uint64_t bit = (h1 + step * h2) % bits;
  for (std::uint64_t i = 0; i < step; ++i)
    if ((h1 + i * h2) % bits == bit) throw std::logic_error("met before");
  out[24 + bit / 8] &= static_cast<std::byte>(~(1u << (bit % 8)));
  return out;
}

void refuse_atomicbloom(json& rows) {
  foreign_params p;
  p.bits = 200;
  p.hashes = 4;
  const image_bytes good = written("atomicbloom", p, numbered("k", 10));
  rows_of out(rows, "atomicbloom");
  out.add("as written", good);
  for (const std::size_t size : {0, 1, 23, 24, 55}) {
    image_bytes cut = good;
    cut.resize(size);
    out.add("cut to " + std::to_string(size), cut);
  }
  image_bytes longer = good;
  longer.resize(57);
  out.add("a byte more", longer);
  out.add("m = 0", with_byte(good, 0, 0));
  out.add("k = 0", with_byte(good, 8, 0));
  out.add("k = 2^32", with_byte(with_byte(good, 8, 0), 12, 1));
  out.add("k = 2^32 - 1",
          from_hex("0800000000000000ffffffff000000000100000000000000ff00000000000000"));
  out.add("W one more", with_byte(good, 16, 5));
  out.add("m of one word more", with_byte(with_byte(good, 0, 1), 1, 1));
  out.add("k = 5000: at most 4096 bits are asked for", one_clear_bit(5000, 4500));
  out.add("k = 5000: and no fewer", one_clear_bit(5000, 4000));
  out.add("m = 2^64 - 1, W to match",
          from_hex("ffffffffffffffff04000000000000000000000000000004"));
}

void refuse_parquet(json& rows) {
  const std::string bits(64, '0');
  rows_of header(rows, "parquet", "variant=header");
  for (const char* head :
       {"15421c1c00001c1c00001c1c000000", "15001c1c00001c1c00001c1c000000",
        "153f1c1c00001c1c00001c1c000000", "1580011c1c00001c1c00001c1c000000",
        "15401c1c00001c1c00001c1c00000000", "1c1c00001c1c00001c1c000000",
        "15401c1c00001c1c000000", "15401c2c00001c1c00001c1c000000",
        "15401c1c00001c2c00001c1c000000", "15401c1c00001c1c00001c2c000000"})
    header.add(std::string("a header ") + head, from_hex(head + bits));
  rows_of(rows, "parquet").add("nothing", {});
  rows_of bitset(rows, "parquet", "variant=bitset");
  bitset.add("nothing", {});
  bitset.add("65 bytes", image_bytes(65));
  bitset.add("31 bytes", image_bytes(31));
  rows_of file(rows, "parquet", "variant=file");
  const image_bytes image = two_groups();
  const auto cut = [&](std::size_t size) {
    return image_bytes(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size));
  };
  file.add("11 bytes", cut(11));
  file.add("the last byte is missing", cut(image.size() - 1));
  file.add("a footer longer than the file", with_byte(image, image.size() - 5, 0x7f));
  image_bytes closed = image;
  closed[3] = closed.back() = std::byte{'E'};
  file.add("an encrypted footer", closed);
  const image_bytes filter = parquet_filter({"k0"}, 32);
  const auto one = [&](testing::column_image c) {
    c.path = "a";
    if (c.filter.empty()) c.filter = filter;
    return testing::parquet_image({{c}});
  };
  file.add("no filters at all", testing::parquet_image({{{.path = "x"}}}), false);
  file.add("only encrypted columns", one({.path = "", .encrypted = true}), false);
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{3}, std::int64_t{100},
                                    std::int64_t{1} << 62, std::int64_t{-1}, INT64_MIN})
    file.add("a filter at " + std::to_string(offset), one({.path = "", .offset = offset}),
             false);
  file.add("not at a header", one({.path = "", .offset = 21}));
  for (const std::int64_t off : {-1, 1})
    file.add("a length off by " + std::to_string(off),
             one({.path = "", .length_off_by = off}), false);
}

}  // namespace

json dialect_files() {
  json out;
  out["_comment"] = {
      "Files of other systems in the forms that are only read (spec/dialects/nori.md, "
      "parquet.md).",
      "read: options for the reader.  accepted: what `decode` of conformance.md prints; "
      "answers: for",
      "k0 .. k9 and x0 .. x15, or for the keys of `asked`.  Or an error; its offset "
      "where "
      "the page fixes it."};
  add_tables(out["cases"]);
  add_parquet(out["cases"]);
  return out;
}

json dialect_hostile() {
  json out;
  out["_comment"] = {
      "Files that a reader of nori, atomicbloom or parquet must refuse with this error, "
      "and the byte",
      "to blame where the page of the dialect fixes it; and odd ones that it must "
      "accept, "
      "as in",
      "dialect_files.json."};
  refuse_nori(out["cases"]);
  refuse_atomicbloom(out["cases"]);
  refuse_parquet(out["cases"]);
  odd_nori(out["cases"]);
  odd_parquet(out["cases"]);
  return out;
}

}  // namespace bloomery::vectors
