#include "dialect_samples.hpp"

#include <algorithm>
#include <bit>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "cuckoo_images.hpp"
#include "fastfilter_images.hpp"
#include "must.hpp"
#include "nori_images.hpp"
#include "parquet_images.hpp"
#include "ribbon_images.hpp"
#include "table_images.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using bytes = std::vector<std::byte>;
using fields = std::vector<header_field>;
using keys = std::vector<std::string>;

// Made by the library; the options are those it needs to read it.
dialect_sample written(const char* dialect, const char* variant, const keys& ks, fields f,
                       foreign_params p = {}) {
  p.variant = variant;
  if (p.keys == 0) p.keys = ks.size();
  auto made = must(foreign_filter::make(dialect, p));
  for (const std::string& k : ks) must(made.insert(k));
  const auto image = must(made.encode());
  foreign_options read = made.options();
  read.variant = variant;
  return {.name = std::string(dialect) + " " + variant,
          .dialect = dialect,
          .read = read,
          .keys = ks,
          .image = {image.bytes().begin(), image.bytes().end()},
          .fields = std::move(f)};
}

dialect_sample built(const char* dialect, const char* variant, const keys& ks,
                     bytes image, fields f) {
  foreign_options read;
  read.variant = variant;
  return {.name = std::string(dialect) + " " + variant,
          .dialect = dialect,
          .read = read,
          .keys = ks,
          .image = std::move(image),
          .fields = std::move(f)};
}

// Numbers of no fixed width: every byte of [from, to) by itself.
fields bytewise(std::ptrdiff_t from, std::ptrdiff_t to) {
  fields f;
  for (auto at = from; at < to; ++at) f.push_back({"byte", at, 1});
  return f;
}

void repair_footer(std::span<std::byte> table) {
  if (table.size() < 64) return;
  const auto footer = table.last(64);
  base::byte_writer(footer.subspan(60)).write(base::crc32c(footer.first(60)));
}

std::vector<dialect_sample> nori(const keys& ks) {
  const fields section{{"k", 0, 4}, {"m", 4, 8}};
  const fields footer{{"index at", -64, 8},    {"index size", -56, 8},
                      {"bloom at", -48, 8},    {"bloom size", -40, 8},
                      {"compression", -32, 1}, {"entries", -27, 8},
                      {"format", -19, 1},      {"remainder", -18, 1}};
  foreign_params odd;
  odd.bits_per_key = 11;
  std::vector<dialect_sample> all{written("nori", "current", ks, section),
                                  written("nori", "old-mod", ks, section, odd)};
  const auto q = static_cast<unsigned>(std::bit_width(ks.size() + ks.size() / 4));
  all.push_back(built("nori", "quotient", ks, quotient_image(ks, q, 12),
                      {{"version", 0, 1},
                       {"q", 1, 1},
                       {"r", 2, 1},
                       {"taken", 3, 4},
                       {"slots", 7, 4},
                       {"first slot", 11, 1}}));
  fields in_table = footer;
  in_table.push_back({"k", 104, 4});
  in_table.push_back({"m", 108, 8});
  all.push_back(built("nori", "sstable", ks, bloom_table(all[0].image), in_table));
  keys ascending = ks;
  std::ranges::sort(ascending);
  // Blocks of at most 4000 slots of 7 bytes: their size has 16 bits.
  const std::size_t a_block = std::min<std::size_t>(2000, (ks.size() + 1) / 2);
  all.push_back(built(
      "nori", "sstable", ascending,
      block_table(ascending, a_block, static_cast<unsigned>(std::bit_width(2 * a_block))),
      footer));
  all.back().name += " of blocks";
  all[3].repair = all[4].repair = repair_footer;
  return all;
}

std::vector<dialect_sample> redisbloom(const keys& ks) {
  const fields chain{
      {"size", 0, 8},       {"links", 8, 4},         {"options", 12, 4},
      {"growth", 16, 4},    {"link bytes", 20, 8},   {"link bits", 28, 8},
      {"link size", 36, 8}, {"link error", 44, 8},   {"bits per key", 52, 8},
      {"link k", 60, 4},    {"link entries", 64, 8}, {"log2", 72, 1}};
  foreign_params few, one;
  few.keys = ks.size() / 3 + 1;  // it grows
  few.fpr = one.fpr = 0.01;
  auto all = std::vector{written("redisbloom", "scaling", ks, chain, few),
                         written("redisbloom", "nonscaling", ks, chain, one),
                         written("redisbloom", "legacy32", ks, chain, one),
                         written("redisbloom", "legacy64", ks, chain, one)};
  all.push_back(built("redisbloom", "cuckoo", ks, cuckoo_image(ks),
                      {{"items", 0, 8},
                       {"buckets", 8, 8},
                       {"deletes", 16, 8},
                       {"filters", 24, 8},
                       {"slots", 32, 2},
                       {"kicks", 34, 2},
                       {"expansion", 36, 2}}));
  return all;
}

std::vector<dialect_sample> fastfilter(const keys& ks) {
  const fields fuse{{"seed", 0, 8},      {"keys", 8, 4},     {"segment", 12, 4},
                    {"segments", 16, 4}, {"product", 20, 4}, {"slots", 24, 4}};
  const fields packed{{"seed", 0, 8}, {"keys", 8, 4}};
  const fields is_xor{{"seed", 0, 8}, {"block", 8, 8}};
  std::vector<dialect_sample> all;
  for (const char* v : {"fuse8", "fuse16", "packed8", "packed16", "xor8", "xor16"})
    all.push_back(built("fastfilter", v, ks, fastfilter_image(v, ks),
                        v[0] == 'f'   ? fuse
                        : v[0] == 'p' ? packed
                                      : is_xor));
  return all;
}

std::vector<dialect_sample> parquet(const keys& ks) {
  auto bare = written("parquet", "bitset", ks, {});
  auto whole = written("parquet", "header", ks, bytewise(0, 16));
  const std::size_t half = ks.size() / 2;
  keys first(ks.begin(), ks.begin() + static_cast<std::ptrdiff_t>(half));
  keys second(ks.begin() + static_cast<std::ptrdiff_t>(half), ks.end());
  const auto filter = [](const keys& some) {
    return written("parquet", "header", some, {}).image;
  };
  const auto file = parquet_image({{{.path = "id", .filter = filter(first)}},
                                   {{.path = "id", .filter = filter(second)}}});
  // The footer's varints, and its length.
  const std::size_t footer =
      static_cast<std::size_t>(field_value(file, {"footer size", -8, 4}));
  auto f = bytewise(-8 - static_cast<std::ptrdiff_t>(footer), -8);
  f.push_back({"footer size", -8, 4});
  return {bare, whole, built("parquet", "file", ks, file, f)};
}

std::vector<dialect_sample> bits_and_blooms(const keys& ks) {
  const fields numbers{{"m", 0, 8, true}, {"k", 8, 8, true}, {"length", 16, 8, true}};
  const fields text{{"m", 5, 0}};  // {"m":
  std::vector<dialect_sample> all;
  for (const char* v : {"binary", "le", "json", "le-json"}) {
    const bool is_text = std::string_view(v).ends_with("json");
    all.push_back(written("bits-and-blooms", v, ks, is_text ? text : numbers));
    if (!is_text) continue;
    const auto& image = all.back().image;  // {"m":96,"k":7,"b":"
    const auto comma = std::ranges::find(image, std::byte{','}) - image.begin();
    // k comes first: a new m moves it.
    all.back().fields = {{"m", 5, 0}, {"k", comma + 5, 0}};
    std::ranges::reverse(all.back().fields);
  }
  return all;
}

// The last two blocks of a table of LevelDB, as far as its footer places them.
void repair_leveldb_table(std::span<std::byte> table) {
  if (table.size() < 48) return;
  base::byte_reader footer(table.last(48));
  for (int i = 0; i < 2; ++i) {
    std::uint64_t place[2] = {};
    for (std::uint64_t& n : place)
      for (unsigned shift = 0, more = 1; more != 0 && shift < 64; shift += 7) {
        const auto byte = footer.read<std::uint8_t>();
        n |= std::uint64_t{byte & 0x7fu} << shift;
        more = byte & 0x80u;
      }
    if (place[1] > table.size() || place[0] > table.size() - place[1] ||
        table.size() - place[1] - place[0] < 5)
      continue;
    const auto block = table.subspan(place[0], place[1] + 5);
    base::byte_writer(block.last(4))
        .write(sum_of_table_bytes(table_sum::crc32c, block.first(place[1] + 1)));
  }
}

// Whole tables.  Those of RocksDB without checksums: all lies are read.
std::vector<dialect_sample> tables(const keys& ks) {
  auto ascending = ks;
  std::ranges::sort(ascending);
  const auto filter = [](const char* dialect, const char* variant, const keys& some) {
    return written(dialect, variant, some, {}).image;
  };
  const bool large = ks.size() > 1000;  // data of some chunks
  auto table =
      ldb_image(ascending, large ? 100 : 3, large ? 2048 : 100,
                [&](const keys& some) { return filter("leveldb", "filter", some); });
  // The footer, and in front of it the index and the metaindex.
  const auto end = static_cast<std::ptrdiff_t>(table.size());
  const auto behind = large ? end - 48 : end - 48 - 120;
  std::vector<dialect_sample> all{
      built("leveldb", "table", ks, table, bytewise(behind, end - 28))};
  all.back().repair = repair_leveldb_table;

  sst_form form;
  form.sums = table_sum::none;
  form.data = large ? 20'000 : 10;
  form.format = 3;
  const auto place = [](const table_bytes& image, const char* name) {
    const auto text = std::as_bytes(std::span(std::string_view(name)));
    return std::ranges::search(image, text).begin() - image.begin();
  };
  // The footer, and the place of the filter behind its name.
  const auto fields_of = [&](const table_bytes& image, const char* name) {
    const auto last = static_cast<std::ptrdiff_t>(image.size());
    fields f = bytewise(last - 53, last - 40);
    const auto at =
        place(image, name) + static_cast<std::ptrdiff_t>(std::string_view(name).size());
    for (const auto& b : bytewise(at, at + 5)) f.push_back(b);
    f.push_back({"format", last - 12, 4});
    return f;
  };
  const auto one = sst_image({filter("rocksdb", "legacy", ks)}, {}, ks.size(), form);
  all.push_back(built("rocksdb", "table", ks, one, fields_of(one, "BuiltinBloomFilter")));

  const auto half = ascending.begin() + static_cast<std::ptrdiff_t>(ks.size() / 2);
  const keys first(ascending.begin(), half), second(half, ascending.end());
  form.format = 6;
  form.context = 0;
  const auto parts = sst_image(
      {filter("rocksdb", "fastlocal", first), filter("rocksdb", "fastlocal", second)},
      {first.back(), second.back()}, ks.size(), form);
  auto in = fields_of(parts, "BuiltinBloomFilter");
  // The index of partitions ends with its restarts.
  const auto index = place(parts, second.back().c_str());
  for (const auto& b : bytewise(index - 20, index + 20)) in.push_back(b);
  all.push_back(built("rocksdb", "table", ks, parts, in));
  all.back().name += " of partitions";
  return all;
}

}  // namespace

std::vector<dialect_sample> dialect_samples(std::size_t n) {
  const auto ks = numbered("k", n);
  std::vector<dialect_sample> all;
  const auto add = [&](std::vector<dialect_sample> some) {
    std::ranges::move(some, std::back_inserter(all));
  };
  add(nori(ks));
  all.push_back(
      written("atomicbloom", "words", ks, {{"m", 0, 8}, {"k", 8, 8}, {"words", 16, 8}}));
  for (const char* v : {"appendix", "section"})
    all.push_back(written("blockbloom", v, ks, {}));
  add(bits_and_blooms(ks));
  add(parquet(ks));
  for (const char* v : {"mitz64", "mitz32"})
    all.push_back(written("guava", v, ks,
                          {{"strategy", 0, 1}, {"k", 1, 1}, {"longs", 2, 4, true}}));
  all.push_back(
      written("spark", "v1", ks,
              {{"version", 0, 4, true}, {"k", 4, 4, true}, {"longs", 8, 4, true}}));
  all.push_back(written("spark", "v2", ks,
                        {{"version", 0, 4, true},
                         {"k", 4, 4, true},
                         {"seed", 8, 4, true},
                         {"longs", 12, 4, true}}));
  add(redisbloom(ks));
  all.push_back(written("leveldb", "filter", ks, {{"k", -1, 1}}));
  all.push_back(
      written("leveldb", "block", ks,
              {{"first", -13, 4}, {"end", -9, 4}, {"array", -5, 4}, {"base", -1, 1}}));
  all.push_back(
      written("rocksdb", "fastlocal", ks,
              {{"code", -5, 1}, {"sub-code", -4, 1}, {"k", -3, 1}, {"reserved", -2, 2}}));
  all.push_back(written("rocksdb", "legacy", ks, {{"k", -5, 1}, {"lines", -4, 4}}));
  all.push_back(built(
      "rocksdb", "ribbon", ks, ribbon_image(ks),
      {{"code", -5, 1}, {"seed", -4, 1}, {"blocks", -3, 2}, {"blocks above", -1, 1}}));
  add(tables(ks));
  for (const char* v : {"new", "old", "ka"})
    all.push_back(
        written("cassandra", v, ks, {{"k", 0, 4, true}, {"words", 4, 4, true}}));
  for (const char* v : {"dirty", "counted"})
    all.push_back(written("datasketches", v, ks,
                          {{"preamble", 0, 1},
                           {"version", 1, 1},
                           {"family", 2, 1},
                           {"flags", 3, 1},
                           {"k", 4, 2},
                           {"zero", 6, 2},
                           {"seed", 8, 8},
                           {"longs", 16, 4},
                           {"zeros", 20, 4},
                           {"ones", 24, 8}}));
  foreign_params seeded;
  seeded.seed = 42;
  all.push_back(written("fastbloom", "words", ks, {}, seeded));
  all.push_back(written("rust-bloomfilter", "v3", ks,
                        {{"version", 0, 1},
                         {"bytes", 1, 8},
                         {"k", 9, 4},
                         {"seed 0", 13, 8},
                         {"seed 1", 21, 8},
                         {"seed 2", 29, 8},
                         {"seed 3", 37, 8}}));
  add(fastfilter(ks));
  all.push_back(written("clickhouse", "tokenbf", ks, {}));
  all.push_back(written("clickhouse", "granule", ks, bytewise(0, 2)));
  return all;
}

}  // namespace bloomery::testing
