// spec/vectors/block_*.json, split_block_*.json and bloom_*.json
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::to_hex;

constexpr std::uint64_t two32 = std::uint64_t{1} << 32;

// Where the one-key calls of a layout set their bits, as bit numbers of the array.
template <class Layout>
void add_positions(json& row, std::uint64_t h, std::uint64_t blocks) {
  using block = typename Layout::block;
  const auto m = block_probe::portable::mask_of<block>(h);
  for (std::size_t j = 0; j < block::lanes; ++j)
    row["positions"].push_back(8 * Layout::offset(h, blocks) + 32 * m.word[j] +
                               static_cast<unsigned>(std::countr_zero(m.bit[j])));
}

json positions_row(const char* text, std::uint64_t h, block_shape s) {
  json row;
  if (text != nullptr) row["text"] = text;
  row["hash"] = to_hex(h);
  row["profile"] = name_of(s.profile);
  row["blocks"] = s.blocks;
  using namespace block_probe;
  switch (s.profile) {
    case block_profile::half_line:
      add_positions<half_line>(row, h, s.blocks);
      break;
    case block_profile::split:
      add_positions<split>(row, h, s.blocks);
      break;
    case block_profile::lanes16:
      add_positions<lanes16>(row, h, s.blocks);
      break;
    case block_profile::two_lines:
      add_positions<two_lines>(row, h, s.blocks);
      add_positions<two_lines>(row, second(h), s.blocks);
      break;
    default:
      add_positions<line>(row, h, s.blocks);
  }
  return row;
}

json positions_of(const std::vector<block_profile>& profiles,
                  const std::vector<std::uint64_t>& sizes, const hasher& h) {
  json rows;
  for (const block_profile p : profiles)
    for (const std::uint64_t blocks : sizes) {
      for (const char* text : {"", "k0", "bloomery"})
        rows.push_back(
            positions_row(text, h.hash(std::string_view(text)).bits(), {blocks, p}));
      for (const std::uint64_t chosen :
           {std::uint64_t{0}, two32 - 1, (two32 - 1) << 32, ~std::uint64_t{0}, two32 + 1})
        rows.push_back(positions_row(nullptr, chosen, {blocks, p}));
    }
  return rows;
}

}  // namespace

json block_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a block filter (spec/filters.md 2.1), lane by lane; two-lines "
      "lists",
      "the lanes of its first line, then those of its second.  Bit i of the array is bit",
      "i mod 8 of byte i / 8.  hash is XXH3-64 of text with seed 0 where there is a "
      "text;",
      "else it is chosen, to put a half at an end of its range.  All numbers are below "
      "2^53."};
  out["cases"] = positions_of(
      {block_profile::half_line, block_profile::line, block_profile::two_lines},
      {1, 2, 3, 7, 1009, 157'812, two32 - 1, two32 + 15, std::uint64_t{1} << 42},
      hasher::xxh3());
  return out;
}

json lanes16_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a block filter of the profile lanes16 (spec/filters.md 2.7), "
      "lane by",
      "lane.  The rest is as in block_positions.json."};
  out["cases"] = positions_of(
      {block_profile::lanes16},
      {1, 2, 3, 7, 1009, 157'812, two32 - 1, two32 + 15, std::uint64_t{1} << 44},
      hasher::xxh3());
  return out;
}

json split_block_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a split-block filter (spec/filters.md 3), word by word.  Bit i "
      "of "
      "the",
      "array is bit i mod 8 of byte i / 8.  hash is XXH64 of text with seed 0 where "
      "there",
      "is a text; else it is chosen, to put a half at an end of its range."};
  out["cases"] = positions_of({block_profile::split},
                              {1, 2, 3, 7, 32, 1009, (1u << 26) - 1}, hasher::xxh64());
  return out;
}

json bloom_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a classic filter (spec/filters.md 4).  hash is XXH3-64 of text "
      "with",
      "seed 0 where there is a text; else it is chosen.  All numbers are below 2^53."};
  const auto row = [&](const char* text, std::uint64_t hash, std::uint64_t bits) {
    json r;
    if (text != nullptr) r["text"] = text;
    r["hash"] = to_hex(hash);
    r["bits"] = bits;
    r["hashes"] = 10;
    auto w = bloom_probe(bits).start(key::from_bits(hash));
    for (int i = 0; i < 10; ++i, w.advance(bits)) r["positions"].push_back(w.at);
    out["cases"].push_back(r);
  };
  for (const std::uint64_t bits :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{96}, std::uint64_t{9586},
        two32 - 1, two32 + 15, 256 * two32, bloom_probe::max_bits}) {
    for (const char* text : {"", "k0", "bloomery"})
      row(text, hasher::xxh3().hash(std::string_view(text)).bits(), bits);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
      row(nullptr, hash, bits);
  }
  return out;
}

json block_filters() {
  json out;
  out["_comment"] = {
      "Whole block filters (spec/filters.md 2), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes,
      "Filters of the same keys and profile fold into each other: 6 blocks by 2, 3 or "
      "6."};
  for (const block_profile p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines})
    for (const std::uint64_t blocks : {1, 2, 3, 6})
      for (const auto& [prefix, count] : key_sets) {
        json row{{"profile", name_of(p)}, {"blocks", blocks}};
        add_filter(row, must(block_bloom::make({blocks, p})), prefix, count);
        out["cases"].push_back(row);
      }
  return out;
}

json lanes16_filters() {
  json out;
  out["_comment"] = {
      "Whole block filters of the profile lanes16 (spec/filters.md 2.7), keys hashed "
      "with "
      "XXH3-64",
      "and seed 0.", of_filters, of_maybes,
      "Filters of the same keys fold into each other: 12 blocks by 2, 3, 4, 6 or 12."};
  for (const std::uint64_t blocks : {1, 2, 3, 12})
    for (const auto& [prefix, count] : key_sets) {
      json row{{"profile", name_of(block_profile::lanes16)}, {"blocks", blocks}};
      add_filter(row, must(block_bloom::make({blocks, block_profile::lanes16})), prefix,
                 count);
      out["cases"].push_back(row);
    }
  return out;
}

json split_block_filters() {
  json out;
  out["_comment"] = {
      "Whole split-block filters (spec/filters.md 3), keys hashed with XXH64 and seed 0.",
      of_filters, of_maybes};
  for (const std::uint64_t blocks : {1, 2, 3, 6, 32})
    for (const auto& [prefix, count] : key_sets) {
      json row{{"blocks", blocks}};
      add_filter(row, must(split_block_bloom::make(blocks)), prefix, count);
      out["cases"].push_back(row);
    }
  return out;
}

json bloom_filters() {
  json out;
  out["_comment"] = {
      "Whole classic filters (spec/filters.md 4), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes};
  for (const bloom_layout l :
       {bloom_layout{1, 1}, {9, 3}, {96, 7}, {1000, 10}, {2048, 20}})
    for (const auto& [prefix, count] : key_sets) {
      json row{{"bits", l.bits}, {"hashes", l.hashes}};
      add_filter(row, must(bloom::make(l)), prefix, count);
      out["cases"].push_back(row);
    }
  return out;
}

}  // namespace bloomery::vectors
