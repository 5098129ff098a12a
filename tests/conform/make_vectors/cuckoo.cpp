// spec/vectors/cuckoo_*.json
#include <cmath>
#include <string_view>

#include <bloomery/cuckoo.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"

namespace bloomery::vectors {

using testing::must;
using testing::to_hex;

json cuckoo_positions() {
  json out;
  out["_comment"] = {
      "The tag of a key in a cuckoo filter, and its two buckets (spec/filters.md 7).",
      "hash is XXH3-64 of text with seed 0 where there is a text; else it is chosen.  "
      "All",
      "other numbers are below 2^53."};
  const auto row = [&](const char* text, std::uint64_t hash, std::uint64_t buckets,
                       std::uint32_t tag_bits) {
    json r;
    if (text != nullptr) r["text"] = text;
    const auto p = cuckoo_probe(buckets, tag_bits).start(key::from_bits(hash));
    r["hash"] = to_hex(hash);
    r["buckets"] = buckets;
    r["tag_bits"] = tag_bits;
    r["tag"] = p.tag;
    r["first"] = p.first;
    r["second"] = p.second;
    out["cases"].push_back(r);
  };
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  for (const std::uint32_t tag_bits : {6u, 8u, 12u, 13u, 16u, 17u, 31u, 32u})
    for (const std::uint64_t buckets :
         {std::uint64_t{2}, std::uint64_t{6}, std::uint64_t{1000}, std::uint64_t{265958},
          two32 + 16, cuckoo_probe::max_buckets(tag_bits)}) {
      for (const char* text : {"", "k0", "bloomery"})
        row(text, hasher::xxh3().hash(std::string_view(text)).bits(), buckets, tag_bits);
      for (const std::uint64_t hash :
           {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
        row(nullptr, hash, buckets, tag_bits);
    }
  return out;
}

json cuckoo_filters() {
  json out;
  out["_comment"] = {
      "Whole cuckoo filters (spec/filters.md 7), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes,
      "Where tags lie is the writer's choice; what a reader answers is not.  occupied: "
      "slots",
      "that hold a tag.  classes: 2 D - C of spec/model.md 9, the realised rate times B "
      "T."};
  for (const cuckoo_layout l : {cuckoo_layout{2, 6},
                                {6, 7},
                                {10, 9},
                                {38, 6},
                                {34, 8},
                                {34, 11},
                                {34, 12},
                                {40, 15},
                                {40, 16},
                                {38, 17},
                                {38, 19},
                                {42, 31},
                                {40, 32}})
    for (const auto& [prefix, count] : key_sets) {
      if (count > 3 * l.buckets) continue;
      auto f = must(cuckoo::make(l));
      for (const std::string& s : testing::numbered(prefix, count))
        must(f.try_insert(std::string_view(s)));
      json row{{"buckets", l.buckets}, {"tag_bits", l.tag_bits}};
      add_filter(row, must(cuckoo::make(l)), prefix, count);
      row["occupied"] = f.occupied();
      row["classes"] = static_cast<std::uint64_t>(
          std::round(f.realised_fpr() * static_cast<double>(l.buckets) *
                     (std::exp2(l.tag_bits) - 1)));
      out["cases"].push_back(row);
    }
  return out;
}

}  // namespace bloomery::vectors
