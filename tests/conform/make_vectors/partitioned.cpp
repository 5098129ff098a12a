// spec/vectors/partitioned_*.json
#include <string_view>

#include <bloomery/partitioned_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"

namespace bloomery::vectors {

using testing::must;
using testing::to_hex;

json partitioned_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a partitioned filter (spec/filters.md 6): hashes slices of slice "
      "bits.",
      "hash is XXH3-64 of text with seed 0 where there is a text; else it is chosen.  "
      "All",
      "numbers are below 2^53."};
  const auto row = [&](const char* text, std::uint64_t hash, std::uint64_t slice) {
    json r;
    if (text != nullptr) r["text"] = text;
    r["hash"] = to_hex(hash);
    r["slice"] = slice;
    r["hashes"] = 10;
    auto w = partitioned_probe(slice, 10).start(key::from_bits(hash));
    for (int i = 0; i < 10; ++i, w.advance(slice)) r["positions"].push_back(w.at);
    out["cases"].push_back(r);
  };
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  for (const std::uint64_t slice :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{13}, std::uint64_t{959},
        two32 - 1, two32 + 15, partitioned_probe::max_bits / 10}) {
    for (const char* text : {"", "k0", "bloomery"})
      row(text, hasher::xxh3().hash(std::string_view(text)).bits(), slice);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
      row(nullptr, hash, slice);
  }
  return out;
}

json partitioned_filters() {
  json out;
  out["_comment"] = {
      "Whole partitioned filters (spec/filters.md 6), keys hashed with XXH3-64 and seed "
      "0.",
      of_filters, of_maybes};
  for (const partitioned_layout l :
       {partitioned_layout{1, 1}, {3, 3}, {13, 7}, {16, 6}, {100, 10}, {103, 20}})
    for (const auto& [prefix, count] : key_sets) {
      json row{{"slice", l.slice_bits}, {"hashes", l.slices}};
      add_filter(row, must(partitioned_bloom::make(l)), prefix, count);
      out["cases"].push_back(row);
    }
  return out;
}

}  // namespace bloomery::vectors
