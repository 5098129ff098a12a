// The library against spec/vectors/receipts.json.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/detail/receipt.hpp>

#include "hex.hpp"
#include "must.hpp"
#include "secret.hpp"
#include "vectors.hpp"

namespace bloomery::testing {
namespace {

using nlohmann::json;

// "xxh3_1": seed 1, in hex; f stands for all ones.
hasher hasher_of_column(const std::string& column) {
  const auto at = column.find('_');
  const std::string name = column.substr(0, at);
  const std::string digits = at == std::string::npos ? "0" : column.substr(at + 1);
  const std::uint64_t seed = digits == "f" ? ~std::uint64_t{0} : u64_from_hex(digits);
  if (name == "xxh3") return hasher::xxh3(seed);
  if (name == "xxh64") return hasher::xxh64(seed);
  if (name == "siphash13") return hasher::siphash13(counting_secret());
  return hasher::fnv1a_splitmix();
}

TEST(ReceiptVectors, Scopes) {
  const json rows = vectors("receipts.json").at("scopes");
  EXPECT_GE(rows.size(), 8u);
  for (const json& row : rows)
    EXPECT_EQ(row.at("scope"),
              to_hex(receipt_scope(row.at("kind"), u64_from_hex(row.at("units")),
                                   u64_from_hex(row.at("shape")),
                                   u64_from_hex(row.at("identity")))))
        << row;
}

TEST(ReceiptVectors, Receipts) {
  const json rows = vectors("receipts.json").at("receipts");
  EXPECT_GE(rows.size(), 54u);
  for (const json& row : rows) {
    SCOPED_TRACE(row.dump());
    const hasher h = hasher_of_column(row.at("hasher"));
    const std::uint64_t scope = u64_from_hex(row.at("scope"));
    const key k = h.hash(row.at("text").get<std::string>());
    EXPECT_EQ(row.at("hash"), to_hex(k.bits()));
    EXPECT_EQ(row.at("check"), to_hex(h.receipt_check(k, scope)));
    const std::string zeros(16, '0');
    const std::string text = row.at("receipt").get<std::string>() + zeros;
    EXPECT_EQ(text, to_hex(receipt::issue(h, k, scope).bytes()));

    // Stored and read, it is of that filter and of no other.
    const auto bytes = from_hex(text);
    ASSERT_EQ(bytes.size(), receipt::size_in_bytes);
    const receipt r = receipt::from_bytes(std::span<const std::byte, 24>(bytes));
    EXPECT_EQ(r.number(), 0u);
    EXPECT_EQ(must(r.key_for(h, scope)), k);
    EXPECT_FALSE(r.key_for(h, scope + 1));
  }
}

TEST(ReceiptVectors, Numbered) {
  const json rows = vectors("receipts.json").at("numbered");
  EXPECT_GE(rows.size(), 108u);
  for (const json& row : rows) {
    const hasher h = hasher_of_column(row.at("hasher"));
    const key k = h.hash(row.at("text").get<std::string>());
    EXPECT_EQ(row.at("receipt"),
              to_hex(receipt::issue(h, k, u64_from_hex(row.at("scope")),
                                    u64_from_hex(row.at("number")))
                         .bytes()))
        << row;
  }
}

}  // namespace
}  // namespace bloomery::testing
