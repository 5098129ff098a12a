// spec/vectors/stable_*.json
#include <string>
#include <string_view>

#include <bloomery/stable_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "stable_oracle.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

constexpr std::uint64_t one = std::uint64_t{1} << 32;

json described(const stable_shape& s, std::uint32_t seed) {
  return {{"cells", s.cells}, {"hashes", s.hashes},           {"cell_bits", s.cell_bits},
          {"max", s.max},     {"decrement", s.whole_steps()}, {"fraction", s.fraction()},
          {"seed", seed}};
}

void add_filter(json& cases, const stable_shape& s, std::uint32_t seed,
                const char* prefix, std::size_t count) {
  json row = described(s, seed);
  auto f = must(stable_bloom::make(s, 0, hasher::xxh3(), seed));
  row["prefix"] = prefix;
  row["inserted"] = count;
  for (const std::string& k : numbered(prefix, count)) f.insert(std::string_view(k));
  std::size_t found = 0, maybe = 0;
  for (const std::string& k : numbered(prefix, count))
    found += f.may_contain(std::string_view(k));
  for (const std::string& x : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(x));
  row["found"] = found;
  row["maybe"] = maybe;
  row["nonzero"] = f.nonzero_cells();
  row["hex"] = to_hex(f.bytes());
  cases.push_back(row);
}

}  // namespace

json stable_positions() {
  json out;
  out["_comment"] = {
      "One insert into a stable filter (spec/filters.md 13.1).  positions: the cells of",
      "the key, in the order of the hashes; the hash is XXH3-64 of text with seed 0.",
      "inserts: t, text in hexadecimal; start, steps: the cells that this insert",
      "decreases.  P is decrement + fraction / 2^32."};
  json& cases = out["cases"];
  const stable_shape shapes[] = {
      {1, 1, 1, 3, 0},
      {96, 2, 3, 7, 10 * one + one / 2},
      {9586, 4, 15, 6, 141 * one + one / 4},
      {one + 15, 1, 1, 3, 11 * one - 1},
      {stable_shape::max_cells, 4, 15, 64, 0xffffffffffffffff}};
  for (const stable_shape& s : shapes)
    for (const char* text : {"", "k0", "bloomery"})
      for (const std::uint32_t seed : {0u, 1u, 0xffffffffu})
        for (const std::uint64_t t :
             {std::uint64_t{0}, std::uint64_t{1}, one - 1, ~std::uint64_t{0}}) {
          json row = described(s, seed);
          const key k = hasher::xxh3().hash(std::string_view(text));
          row["text"] = text;
          row["hash"] = to_hex(k.bits());
          row["inserts"] = to_hex(t);
          const testing::stable_insert insert(s, seed, t);
          row["start"] = insert.start();
          row["steps"] = insert.steps();
          row["positions"] = insert.cells_of(k);
          cases.push_back(row);
        }
  return out;
}

json stable_filters() {
  json out;
  out["_comment"] = {
      "Whole stable filters (spec/filters.md 13), keys hashed with XXH3-64 and seed 0.",
      "Keys: the texts PREFIX0, PREFIX1, .. of which so many were inserted, in order, "
      "the",
      "first with t = 0.  P is decrement + fraction / 2^32.  found: how many of them are",
      "possibly present afterwards; maybe: how many of x0 .. x999.  nonzero: so many",
      "cells.  hex: all bytes, in the order of a file."};
  json& cases = out["cases"];
  for (const stable_shape& s : testing::stable_shapes()) {
    if (s.cells > 1009) continue;
    for (const key_set& keys : key_sets) add_filter(cases, s, 0, keys.prefix, keys.count);
  }
  for (const std::uint32_t seed : {1u, 77u, 0xffffffffu})
    for (const std::size_t n : {std::size_t{10}, std::size_t{1000}}) {
      add_filter(cases, {101, 1, 1, 3, 11 * one}, seed, "k", n);
      add_filter(cases, {200, 2, 3, 5, 27 * one + one / 8}, seed, "k", n);
      add_filter(cases, {777, 4, 15, 6, 141 * one + one / 4}, seed, "k", n);
    }
  add_filter(cases, {1000, 2, 3, 4, 0}, 5, "k", 100);
  add_filter(cases, {777, 4, 7, 5, 60 * one}, 5, "k", 20000);
  return out;
}

}  // namespace bloomery::vectors
