// spec/vectors/scalable_*.json
#include <cstdio>
#include <string>
#include <string_view>

#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "block_oracle.hpp"
#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {

using testing::must;
using testing::to_hex;

namespace {

json of_shape(const scalable_shape& s) {
  return {{"lines", s.lines},
          {"growth", s.growth},
          {"line_from", s.line_from},
          {"two_lines_from", s.two_lines_from}};
}

}  // namespace

json scalable_positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in every level of a scalable filter (spec/filters.md 12): levels of",
      "lines * growth^i lines.  positions: for each level its bits, as bits of the whole",
      "array, least significant first, lane by lane; those of its second block follow "
      "those",
      "of its first.  hash is XXH3-64 of text with seed 0 where there is a text; else it "
      "is",
      "chosen.  All numbers are below 2^53."};
  const auto row = [&](const char* text, std::uint64_t hash, const scalable_shape& s,
                       unsigned levels) {
    json r;
    if (text != nullptr) r["text"] = text;
    r["hash"] = to_hex(hash);
    r.update(of_shape(s));
    r["levels"] = levels;
    for (unsigned i = 0; i < levels; ++i) {
      json bits = json::array();
      for (const std::uint64_t at :
           testing::oracle_positions(s.level(i), block_probe::second(hash)))
        bits.push_back(8 * s.offset(i) + at);
      r["positions"].push_back(bits);
    }
    out["cases"].push_back(r);
  };
  const auto shape = [](std::uint64_t lines, int growth, int line, int two) {
    scalable_shape s;
    s.lines = lines;
    s.growth = static_cast<std::uint8_t>(growth);
    s.line_from = static_cast<std::uint8_t>(line);
    s.two_lines_from = static_cast<std::uint8_t>(two);
    return s;
  };
  struct chain {
    scalable_shape shape;
    unsigned levels;
  };
  for (const auto& [s, levels] : {chain{shape(1, 2, 1, 2), 3},
                                  {shape(3, 4, 0, 48), 3},
                                  {shape(5, 16, 48, 48), 2},
                                  {shape(1009, 8, 0, 0), 2},
                                  {shape((std::uint64_t{1} << 36) + 1, 2, 1, 2), 3}}) {
    for (const char* text : {"", "k0", "bloomery"})
      row(text, hasher::xxh3().hash(std::string_view(text)).bits(), s, levels);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{0xffffffff}, ~std::uint64_t{0}})
      row(nullptr, hash, s, levels);
  }
  return out;
}

json scalable_filters() {
  json out;
  out["_comment"] = {
      "Whole scalable filters (spec/filters.md 12), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes,
      "levels: how many it has.  When a level is added is the writer's choice; what a "
      "reader",
      "answers is not.  realised: its rate (spec/model.md 12), to nine digits."};
  const auto chain = [](std::uint64_t lines, double fpr, const growth_plan& plan) {
    return must(scalable_of_lines(lines, fpr, plan));
  };
  for (const scalable_shape& s :
       {chain(1, 0.01, {}), chain(1, 0.3, {}), chain(2, 0.9, {}),
        chain(1, 0.02, {.max_growth = 100}),
        chain(1, 0.2, {.max_growth = 60, .growth = 4}), chain(1, 0.04, {.dynamic = true}),
        chain(1, 0.0001, {.growth = 16, .dynamic = true})})
    for (const auto& [prefix, count] : key_sets) {
      auto f = must(scalable_bloom::make(s));
      for (const std::string& t : testing::numbered(prefix, count))
        f.insert(std::string_view(t));
      json row = of_shape(s);
      row["fpr"] = s.fpr;
      row["policy"] = name_of(s.policy);
      row["max_levels"] = s.max_levels;
      row["levels"] = f.levels();
      char rate[32];
      std::snprintf(rate, sizeof rate, "%.9g", f.realised_fpr());
      add_filter(row, must(scalable_bloom::make(s)), prefix, count);
      row["realised"] = rate;
      out["cases"].push_back(row);
    }
  return out;
}

}  // namespace bloomery::vectors
