// The library, and oracles beside it, against spec/vectors/block_*.json,
// split_block_*.json and bloom_*.json.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "block_oracle.hpp"
#include "bloom_oracle.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery::testing {
namespace {

using nlohmann::json;
using positions = std::vector<std::uint64_t>;

block_profile profile_of(const json& row) {
  if (!row.contains("profile")) return block_profile::split;
  for (const block_profile p : all_profiles)
    if (row.at("profile") == name_of(p)) return p;
  throw std::runtime_error("an unknown profile");
}

std::span<const std::byte> bytes_of_filter(const auto& f) { return f.bytes(); }

// The bits that one key sets in an empty filter, in order.
template <class F>
positions bits_set(F f, std::uint64_t hash) {
  f.insert(key::from_bits(hash));
  positions out;
  const auto bytes = bytes_of_filter(f);
  for (std::uint64_t i = 0; i < 8 * bytes.size(); ++i)
    if ((static_cast<unsigned>(bytes[i / 8]) >> (i % 8) & 1u) != 0) out.push_back(i);
  return out;
}

positions sorted(positions p) {
  std::ranges::sort(p);
  p.erase(std::unique(p.begin(), p.end()), p.end());
  return p;
}

void check_block_positions(const char* file, std::size_t least, auto hash) {
  const json cases = vectors(file).at("cases");
  EXPECT_GE(cases.size(), least);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash(row.at("text").get<std::string>()), h);
    }
    const block_shape s{row.at("blocks"), profile_of(row)};
    const auto want = row.at("positions").get<positions>();
    EXPECT_EQ(oracle_positions(s, h), want);
    if (s.blocks > 10'000) continue;
    if (s.profile == block_profile::split)
      EXPECT_EQ(bits_set(must(split_block_bloom::make(s.blocks)), h), sorted(want));
    else
      EXPECT_EQ(bits_set(must(block_bloom::make(s)), h), sorted(want));
  }
}

TEST(BlockVectors, Positions) {
  check_block_positions("block_positions.json", 200,
                        [](const std::string& s) { return hash::xxh3(s, 0); });
}

TEST(BlockVectors, Lanes16Positions) {
  check_block_positions("lanes16_positions.json", 70,
                        [](const std::string& s) { return hash::xxh3(s, 0); });
}

TEST(BlockVectors, SplitPositions) {
  check_block_positions("split_block_positions.json", 50,
                        [](const std::string& s) { return hash::xxh64(s, 0); });
}

TEST(BlockVectors, BloomPositions) {
  const json cases = vectors("bloom_positions.json").at("cases");
  EXPECT_GE(cases.size(), 50u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = u64_from_hex(row.at("hash")), bits = row.at("bits");
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const auto want = row.at("positions").get<positions>();
    const std::uint32_t hashes = row.at("hashes");
    EXPECT_EQ(oracle_walk(bits, hashes, h), want);
    if (bits <= 10'000) {
      EXPECT_EQ(bits_set(must(bloom::make(bloom_layout{bits, hashes})), h), sorted(want));
    }
  }
}

// A row's keys through the library in one batch, and through the oracle one by one.
template <class F, class Oracle>
void check_filter(const json& row, F f, Oracle oracle) {
  SCOPED_TRACE(row.dump());
  const std::string prefix = row.at("prefix");
  const auto strings = numbered(prefix, row.at("inserted")), others = numbered("x", 1000);
  const auto texts = views(strings), absent = views(others);
  f.insert(std::span<const std::string_view>(texts));
  for (const std::string_view s : texts) oracle.insert(f.hash(s));
  EXPECT_EQ(to_hex(f.bytes()), row.at("hex"));
  EXPECT_EQ(to_hex(oracle.bytes()), row.at("hex"));
  EXPECT_EQ(f.ones(), row.at("ones").template get<std::uint64_t>());
  EXPECT_EQ(count_maybe(ask(f, absent)), row.at("maybe").template get<std::size_t>());
  EXPECT_EQ(count_maybe(ask(f, texts)), texts.size());
}

void check_block_filters(const char* file, std::size_t least) {
  const json cases = vectors(file).at("cases");
  EXPECT_GE(cases.size(), least);
  for (const json& row : cases) {
    const block_shape s{row.at("blocks"), profile_of(row)};
    check_filter(row, must(block_bloom::make(s)), block_oracle(s));
  }
}

TEST(BlockVectors, Filters) { check_block_filters("block_filters.json", 40); }

TEST(BlockVectors, Lanes16Filters) { check_block_filters("lanes16_filters.json", 16); }

TEST(BlockVectors, SplitFilters) {
  const json cases = vectors("split_block_filters.json").at("cases");
  EXPECT_GE(cases.size(), 20u);
  for (const json& row : cases) {
    const block_shape s{row.at("blocks"), block_profile::split};
    check_filter(row, must(split_block_bloom::make(s.blocks)), block_oracle(s));
    const auto read =
        must(split_block_bloom::from_bitset(from_hex(row.at("hex").get<std::string>())));
    EXPECT_EQ(to_hex(read.bytes()), row.at("hex"));
  }
}

TEST(BlockVectors, BloomFilters) {
  const json cases = vectors("bloom_filters.json").at("cases");
  EXPECT_GE(cases.size(), 20u);
  for (const json& row : cases) {
    const bloom_layout l{row.at("bits"), row.at("hashes")};
    check_filter(row, must(bloom::make(l)), bloom_oracle(l.bits, l.hashes));
  }
}

// Folding as the specification words it, on the published bytes: groups of adjacent
// blocks, or-ed together.
TEST(BlockVectors, FiltersFoldIntoEachOther) {
  for (const char* file : {"block_filters.json", "split_block_filters.json"}) {
    std::map<std::string, std::string> by_shape;
    const auto name = [](const json& row, std::uint64_t blocks) {
      return row.value("profile", "split") + " " + row.at("prefix").get<std::string>() +
             row.at("inserted").dump() + " " + std::to_string(blocks);
    };
    const json cases = vectors(file).at("cases");
    for (const json& row : cases) by_shape[name(row, row.at("blocks"))] = row.at("hex");
    for (const json& row : cases) {
      if (row.at("blocks") != 6) continue;
      const auto from = from_hex(row.at("hex").get<std::string>());
      for (const std::size_t group : {2u, 3u, 6u}) {
        std::vector<std::byte> folded(from.size() / group);
        const std::size_t block = from.size() / 6;
        for (std::size_t i = 0; i < from.size(); ++i)
          folded[i / block / group * block + i % block] |= from[i];
        EXPECT_EQ(to_hex(folded), by_shape.at(name(row, 6 / group)));
      }
    }
  }
}

}  // namespace
}  // namespace bloomery::testing
