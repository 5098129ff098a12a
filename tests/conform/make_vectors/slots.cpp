// spec/vectors/fuse_*.json and xor_*.json
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/fuse.hpp>
#include <bloomery/xor_filter.hpp>

#include "hex.hpp"
#include "make_vectors/hashed.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "slot_filters.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

json described(const slot_shape& s) {
  return {{"shards", s.shards},
          {"slots", s.slots()},
          {"layout", static_cast<unsigned>(s.layout)},
          {"segment_log", s.segment_log}};
}

template <class Rule>
void add_positions(json& cases, const char* text, std::uint64_t hash, const slot_shape& s,
                   unsigned round) {
  json row;
  if (text != nullptr) row["text"] = text;
  row["hash"] = to_hex(hash);
  row.update(described(s));
  row["round"] = round;
  const slot_hash h = slot_hash::of(key::from_bits(hash), round);
  row["fingerprint"] = h.fingerprint(32);
  const std::uint64_t shard = detail::upper_half(hash, s.shards);
  Rule::with_slots(s, [&](const auto& slots_of) noexcept {
    for (const std::uint64_t slot : slots_of(h.x))
      row["positions"].push_back(shard * s.shard_slots + slot);
    return 0;
  });
  cases.push_back(row);
}

template <class Rule>
json positions(const std::vector<slot_shape>& shapes, const char* section) {
  json out;
  out["_comment"] = {
      std::string("The fingerprint and the slots of a key (spec/filters.md ") + section +
          "), if its shard is in this",
      "round.  fingerprint: that of 32 bits; one of r bits is its upper r bits.  hash is "
      "XXH3-64 of",
      "text with seed 0 where there is a text; else it is chosen."};
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  for (const slot_shape& s : shapes)
    for (const unsigned round : {0u, 1u, 255u}) {
      for (const char* text : {"", "k0", "bloomery"})
        add_positions<Rule>(out["cases"], text,
                            hasher::xxh3().hash(std::string_view(text)).bits(), s, round);
      for (const std::uint64_t hash :
           {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
        add_positions<Rule>(out["cases"], nullptr, hash, s, round);
    }
  return out;
}

template <class F>
void add_filter(json& cases, const F& f, const char* prefix, std::size_t count) {
  json row = described(f.shape());
  row["width"] = f.shape().width;
  row["residue"] = f.residue();
  row["prefix"] = prefix;
  row["inserted"] = count;
  std::size_t maybe = 0;
  for (const std::string& s : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(s));
  row["maybe"] = maybe;
  row["ones"] = f.ones();
  row["estimated"] = f.estimated_keys();
  row["hex"] = to_hex(f.bytes());
  cases.push_back(row);
}

template <class F>
json filters(const std::vector<slot_shape>& shapes, const char* section) {
  json out;
  out["_comment"] = {
      std::string("Whole filters (spec/filters.md ") + section +
          "), keys hashed with XXH3-64 and seed 0.",
      of_filters, of_maybes,
      "estimated: keys, by spec/model.md 11.  Which of the solutions a writer stores is "
      "its choice; what a",
      "reader answers is not."};
  json& cases = out["cases"];
  for (const std::uint32_t width : {1u, 2u, 7u, 8u, 9u, 13u, 16u, 17u, 24u, 31u, 32u})
    for (const auto& [prefix, count] : key_sets)
      add_filter(
          cases,
          must(F::build(hashed(prefix, count), slot_request{width}, hasher::xxh3())),
          prefix, count);
  for (slot_shape s : shapes)
    for (const std::uint32_t width : {3u, 8u, 12u, 32u})
      for (const std::size_t count : {0u, 1u, 30u, 60u, 150u}) {
        s.width = width;
        add_filter(cases, testing::filter_of_shape<F>(s, hashed("key", count)), "key",
                   count);
      }
  return out;
}

slot_shape segments(slot_layout layout, std::uint64_t slots, std::uint32_t shards,
                    std::uint8_t log) {
  return {slots, shards, 8, layout, log};
}
slot_shape blocks(std::uint64_t slots, std::uint32_t shards) {
  return {slots, shards, 8, slot_layout::three, 0};
}
slot_shape dense(std::uint64_t slots, std::uint32_t shards) {
  return {slots, shards, 8, slot_layout::dense, 0};
}

}  // namespace

json fuse_positions() {
  constexpr auto three = slot_layout::three, four = slot_layout::four;
  return positions<fuse_rule>(
      {dense(1, 1), dense(7, 1), dense(13, 5), dense(1069, 1), dense(65536, 3),
       segments(three, 3, 1, 0), segments(three, 64, 1, 3), segments(three, 64, 2, 3),
       segments(three, 1130496, 1, 13), segments(three, 2260992, 48, 14),
       segments(three, 3 << 16, 1, 16), segments(three, std::uint64_t{1} << 40, 2, 16),
       segments(four, 4, 1, 0), segments(four, 64, 2, 3), segments(four, 1073152, 7, 13),
       segments(four, 5 << 16, 1, 16)},
      "10");
}
json fuse_filters() {
  return filters<fuse>(
      {segments(slot_layout::three, 128, 1, 4), segments(slot_layout::three, 32, 4, 2),
       segments(slot_layout::four, 128, 1, 3), segments(slot_layout::four, 24, 5, 1),
       dense(64, 1), dense(16, 4)},
      "10");
}
json xor_positions() {
  return positions<xor_rule>(
      {dense(7, 1), blocks(3, 1), blocks(30, 1), blocks(30, 2), blocks(1230048, 1),
       blocks(2590584, 48), blocks(3 * std::uint64_t{0xffffffff}, 2)},
      "11");
}
json xor_filters() {
  return filters<xor_filter>({blocks(120, 1), blocks(48, 3), dense(16, 4)}, "11");
}

}  // namespace bloomery::vectors
