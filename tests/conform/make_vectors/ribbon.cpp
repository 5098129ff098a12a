// spec/vectors/ribbon_*.json
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/ribbon.hpp>

#include "hex.hpp"
#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/probe.hpp"
#include "make_vectors/hashed.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "ribbon_oracle.hpp"

namespace bloomery::vectors {
namespace {

using testing::numbered;
using testing::to_hex;

json described(const ribbon_shape& s) {
  return {{"width", s.width},
          {"columns", s.columns},
          {"narrow", s.narrow},
          {"buckets", s.buckets},
          {"rest", s.rest},
          {"seed", s.seed},
          {"kept", s.keeps_hashes ? 1 : 0}};
}

std::string hex_of(kernel::u128 c, unsigned width) {
  const std::string low = to_hex(static_cast<std::uint64_t>(c));
  return width == 64 ? low : to_hex(static_cast<std::uint64_t>(c >> 64)) + low;
}

template <unsigned width>
json layer_row(const ribbon_shape& s, std::size_t i, std::uint64_t h) {
  const ribbon_layer l = ribbon_layout(s).layer[i];
  const auto start = kernel::start_in(l, h);
  const std::uint64_t slot = start.segment * l.segment_slots + start.in_segment;
  const auto row = kernel::row_of<width>(h);
  const bool narrow = slot / width < l.narrow_blocks;
  return {{"hash", to_hex(h)},
          {"segment", start.segment},
          {"start", start.in_segment},
          {"bucket", slot / s.bucket_slots()},
          {"position", slot % s.bucket_slots()},
          {"block", slot / width},
          {"shift", slot % width},
          {"columns", s.columns - narrow},
          {"coefficients", hex_of(row.c, width)},
          {"fingerprint", row.fingerprint}};
}

void add_positions(json& cases, const char* text, std::uint64_t hash,
                   const ribbon_shape& s) {
  json row;
  if (text != nullptr) row["text"] = text;
  row["hash"] = to_hex(hash);
  row.update(described(s));
  row["layers"] = json::array();
  const ribbon_layout all(s);
  for (std::size_t i = 0; i < all.layers; ++i) {
    row["layers"].push_back(s.width == 64 ? layer_row<64>(s, i, hash)
                                          : layer_row<128>(s, i, hash));
    hash = kernel::next_hash(hash);
  }
  if (all.last_slots != 0) {
    const auto w = kernel::last_window(all, hash);
    row["last"] = {{"hash", to_hex(kernel::last_hash(hash, all.last_seed))},
                   {"start", w.start},
                   {"columns", w.columns},
                   {"coefficients", to_hex(w.c)},
                   {"fingerprint", w.fingerprint}};
  }
  cases.push_back(row);
}

void add_filter(json& cases, const ribbon& f, const char* prefix, std::size_t count) {
  json row = described(f.shape());
  row["prefix"] = prefix;
  row["inserted"] = count;
  std::size_t maybe = 0;
  for (const std::string& s : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(s));
  row["maybe"] = maybe;
  row["realised"] = f.realised_fpr();
  row["ones"] = f.ones();
  row["hex"] = to_hex(f.bytes());
  cases.push_back(row);
}

}  // namespace

json ribbon_positions() {
  json out;
  out["_comment"] = {
      "The equation of a key in each layer of a ribbon filter (spec/filters.md 9.3), as "
      "if every",
      "layer passed it on, and in the last layer where there is one.  fingerprint: 32 "
      "bits, of which",
      "the lowest r count.  columns: of the block, or of the window in the last layer.  "
      "hash is",
      "XXH3-64 of text with seed 0 where there is a text; else it is chosen."};
  std::vector<ribbon_shape> shapes;
  for (const unsigned width : {64u, 128u}) {
    ribbon_shape s{.width = width, .columns = 8};
    for (const std::uint32_t rest : {1u, 2u, 63u, 64u, 65u, 1021u, 8192u}) {
      s.rest = rest;
      s.seed = static_cast<std::uint8_t>(rest);
      s.narrow = rest % 2 == 0 ? 0 : 0x6f5c28f5;
      shapes.push_back(s);
    }
    s = {.width = width, .columns = 32, .narrow = 0xffffffff};
    s.buckets = {1, 0, 0, 0};
    shapes.push_back(s);
    s.buckets = {7532, 1020, 2, 1};
    s.columns = 7;
    s.narrow = 0x47ae147a;
    s.rest = 300;
    shapes.push_back(s);
    s.buckets = {4294967040u, 511, 3, 0};  // a multiple of its segments
    s.columns = 2;
    shapes.push_back(s);
  }
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  for (ribbon_shape& s : shapes) {
    for (std::uint32_t& b : s.buckets)
      if (b != 0) b -= b % s.segments(b);
    for (const char* text : {"", "k0", "bloomery"})
      add_positions(out["cases"], text,
                    hasher::xxh3().hash(std::string_view(text)).bits(), s);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
      add_positions(out["cases"], nullptr, hash, s);
  }
  return out;
}

json ribbon_filters() {
  json out;
  out["_comment"] = {
      "Whole ribbon filters (spec/filters.md 9), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes,
      "realised: the rate by spec/model.md 10.  What a writer passes on to the next "
      "layer, and",
      "the sizes of layers, are its choice; what a reader answers is not."};
  json& cases = out["cases"];
  for (const ribbon_columns c :
       {ribbon_columns{1, 0}, {7, 0x47ae147a}, {8, 0}, {17, 1}, {32, 0xffffffff}})
    for (const auto& [prefix, count] : key_sets)
      add_filter(cases, testing::ribbon_of(hashed(prefix, count), c, 64, {}), prefix,
                 count);
  for (const unsigned width : {64u, 128u})
    for (const ribbon_columns c :
         {ribbon_columns{2, 0x80000000}, {9, 0}, {5, 0x12345678}}) {
      if (c.columns == 9 && width == 128) continue;
      const auto add = [&](std::size_t keys, const ribbon_limits& limits) {
        add_filter(cases, testing::ribbon_of(hashed("key", keys), c, width, limits),
                   "key", keys);
      };
      // One layer; two and a last one; two and nothing left; keys that no layer takes.
      add(width == 64 ? 100 : 480, {.small_keys = 50});
      add(width == 64 ? 1100 : 2200, {.small_keys = 50});
      add(width == 64 ? 1250 : 2250, {.small_keys = 50, .last_keys = 3});
      add(width == 64 ? 200 : 700, {.small_keys = 50, .last_keys = 3, .max_buckets = 1});
    }
  return out;
}

}  // namespace bloomery::vectors
