// spec/vectors/fuse_*.json and xor_*.json against the library.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/fuse.hpp>
#include <bloomery/xor_filter.hpp>

#include "ask.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "slot_filters.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;

slot_shape slot_shape_of(const json& row) {
  slot_shape s;
  s.shards = row.at("shards").get<std::uint32_t>();
  s.shard_slots = row.at("slots").get<std::uint64_t>() / s.shards;
  s.layout = static_cast<slot_layout>(row.at("layout").get<unsigned>());
  s.segment_log = row.at("segment_log").get<std::uint8_t>();
  return s;
}

template <class Rule>
void hold_positions(const char* file) {
  const json cases = testing::vectors(file).at("cases");
  EXPECT_GE(cases.size(), 100u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t hash = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), hash);
    }
    const slot_shape s = slot_shape_of(row);
    EXPECT_TRUE(is_possible<Rule>(s));
    const slot_hash h =
        slot_hash::of(key::from_bits(hash), row.at("round").get<std::uint64_t>());
    EXPECT_EQ(h.fingerprint(32), row.at("fingerprint").get<std::uint32_t>());
    for (unsigned r = 1; r <= 32; ++r)
      EXPECT_EQ(slot_hash::fingerprint_of(h.x, r), h.fingerprint(32) >> (32 - r));
    std::vector<std::uint64_t> slots;
    const std::uint64_t shard = detail::upper_half(hash, s.shards);
    Rule::with_slots(s, [&](const auto& slots_of) noexcept {
      for (const std::uint64_t slot : slots_of(h.x)) {
        EXPECT_LT(slot, s.shard_slots);
        slots.push_back(shard * s.shard_slots + slot);
      }
      return 0;
    });
    EXPECT_EQ(slots, row.at("positions").get<std::vector<std::uint64_t>>());
  }
}

template <class F>
void hold_filters(const char* file) {
  const json cases = testing::vectors(file).at("cases");
  EXPECT_GE(cases.size(), 80u);
  bool residue = false, rounds = false;
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    slot_shape s = slot_shape_of(row);
    s.width = row.at("width").get<std::uint32_t>();
    const auto strings =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    const auto others = testing::numbered("x", 1000);
    const auto texts = testing::views(strings), absent = testing::views(others);
    std::vector<key> ks;
    for (const std::string_view t : texts) ks.push_back(hasher::xxh3().hash(t));
    // What a reader is given, and what this writer makes of the keys.
    const auto bytes = testing::from_hex(row.at("hex").get<std::string>());
    const auto in_residue = row.at("residue").get<std::uint64_t>();
    ASSERT_EQ(bytes.size(), s.bytes(in_residue));
    auto store = testing::must(pages::make(bytes.size()));
    std::memcpy(store.data(), bytes.data(), bytes.size());
    const auto read = format::filter_access::make<F>(
        s, in_residue, ks.size(), hasher::xxh3(), std::move(store), damage_set());
    EXPECT_TRUE(read == testing::filter_of_shape<F>(s, ks));
    EXPECT_EQ(read.ones(), row.at("ones").get<std::uint64_t>());
    EXPECT_NEAR(read.estimated_keys(), row.at("estimated").get<double>(), 1e-9);
    EXPECT_EQ(testing::count_maybe(testing::ask(read, absent)),
              row.at("maybe").get<std::size_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(read, texts)), texts.size());
    residue |= in_residue != 0;
    for (std::uint32_t i = 0; i < s.shards; ++i)
      rounds |= bytes[s.rounds_at() + i] != std::byte{0};
  }
  EXPECT_TRUE(residue);
  EXPECT_TRUE(rounds);
}

TEST(SlotVectors, FusePositions) { hold_positions<fuse_rule>("fuse_positions.json"); }
TEST(SlotVectors, XorPositions) { hold_positions<xor_rule>("xor_positions.json"); }
TEST(SlotVectors, FuseFilters) { hold_filters<fuse>("fuse_filters.json"); }
TEST(SlotVectors, XorFilters) { hold_filters<xor_filter>("xor_filters.json"); }

}  // namespace
}  // namespace bloomery
