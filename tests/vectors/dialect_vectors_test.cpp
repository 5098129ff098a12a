// The library against spec/vectors/dialects.json and containers.json.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "foreign.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"
#include "vectors.hpp"
#include "written_variants.hpp"

namespace bloomery::testing {
namespace {

using nlohmann::json;

std::vector<std::string> keys_of(const json& file, const json& row) {
  if (row.at("keys") == "k10") return numbered("k", 10);
  std::vector<std::string> out;
  for (const std::string hex : file.at("edges")) out.push_back(to_text(from_hex(hex)));
  return out;
}

template <class Filter>
void expect_answers(const Filter& f, const json& row) {
  const auto maybe = row.at("maybe").get<std::string>();
  const auto absent = numbered("x", maybe.size());
  for (std::size_t i = 0; i < maybe.size(); ++i)
    EXPECT_EQ(f.may_contain(absent[i]), maybe[i] == '1') << absent[i];
}

TEST(DialectVectors, ImagesAreReadAndMadeAgain) {
  std::map<std::string, int> seen;
  const json file = vectors("dialects.json");
  for (const json& row : file.at("cases")) {
    const auto dialect = row.at("dialect").get<std::string>(),
               variant = row.at("variant").get<std::string>();
    SCOPED_TRACE(dialect + " " + variant);
    ++seen[dialect + " " + variant];
    const auto image = from_hex(row.at("image").get<std::string>());
    foreign_options o;
    const json& read = row.at("read");
    if (read.contains("variant")) o.variant = variant;
    if (read.contains("hashes")) o.hashes = read.at("hashes");
    if (read.contains("seed")) o.seed = read.at("seed");
    const auto f = must(foreign_filter::decode(dialect, image, o));
    EXPECT_EQ(f.bits(), row.at("bits"));
    EXPECT_EQ(f.hashes(), row.at("hashes"));
    EXPECT_EQ(f.seed(), u64_from_hex(row.at("seed")));
    const auto keys = keys_of(file, row);
    EXPECT_EQ(keys.size(), 10u);
    EXPECT_EQ(count_found(f, keys), keys.size());
    expect_answers(f, row);

    foreign_params p = sized(row.at("n"), row.at("p"), variant);
    p.seed = o.seed;
    EXPECT_EQ(to_hex(written(dialect, p, keys)), to_hex(image));
  }
  EXPECT_EQ(seen.size(), written_variants().size());
}

template <class Filter>
void expect_container(const json& row, std::span<const std::byte> bytes) {
  const auto f = must(decode_container<Filter>(bytes));
  for (const auto& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(std::string_view(k)));
  const auto maybe = row.at("maybe").get<std::string>();
  for (std::size_t i = 0; i < maybe.size(); ++i)
    EXPECT_EQ(f.may_contain(std::string_view("x" + std::to_string(i))), maybe[i] == '1');
  EXPECT_EQ(to_hex(must(encode_container(f)).bytes()), to_hex(bytes));
}

void expect_packed(std::span<const std::byte> bytes) {
  const temp_dir folder;
  const std::string path = folder / "set";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  const auto set = must(packed_set::open(path.c_str()));
  ASSERT_EQ(set.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i)
    for (std::uint64_t j = 0; j < 3; ++j)
      EXPECT_EQ(set.may_contain(i, std::string_view("k" + std::to_string(j))), i == j);
}

TEST(DialectVectors, ContainersAreReadAndMadeAgain) {
  std::map<std::string, int> seen;
  const json file = vectors("containers.json");
  for (const json& row : file.at("cases")) {
    const auto kind = row.at("kind").get<std::string>();
    SCOPED_TRACE(kind);
    ++seen[kind];
    const auto bytes = from_hex(row.at("container").get<std::string>());
    if (const kind_info* known = find_kind(kind))
      must(with_kind(known->facts.number,
                     [&]<class F>(std::type_identity<F>) -> result<void> {
                       expect_container<F>(row, bytes);
                       return {};
                     }));
    if (kind == "packed") expect_packed(bytes);
    if (kind == "foreign") {
      const auto f = must(decode_wrapped(bytes));
      EXPECT_EQ(f.dialect(), "guava");
      EXPECT_EQ(count_found(f, numbered("k", 10)), 10u);
      expect_answers(f, row);
      EXPECT_EQ(to_hex(must(encode_wrapped(f)).bytes()), to_hex(bytes));
    }
  }
  EXPECT_EQ(seen.size(), kinds().size() + 2);
}

}  // namespace
}  // namespace bloomery::testing
