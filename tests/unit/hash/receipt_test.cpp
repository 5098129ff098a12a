// Receipts: which of them a filter takes for its own.
#include <bloomery/detail/receipt.hpp>

#include <array>
#include <set>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/siphash.hpp"
#include "must.hpp"
#include "secret.hpp"

namespace bloomery {
namespace {

using testing::counting_secret;
using testing::must;

constexpr std::uint64_t scope = 0x0123456789abcdef;

static_assert(!std::is_copy_constructible_v<receipt>);
static_assert(!std::is_copy_assignable_v<receipt>);
static_assert(std::is_nothrow_move_constructible_v<receipt>);
static_assert(std::is_nothrow_move_assignable_v<receipt>);

receipt issued(const hasher& h = hasher::xxh3()) {
  return receipt::issue(h, h.hash("alice"), scope);
}

errc refusal(const receipt& r, const hasher& h = hasher::xxh3(),
             std::uint64_t in = scope) {
  const auto k = r.key_for(h, in);
  EXPECT_FALSE(k);
  return k ? errc{} : k.error().code;
}

TEST(Receipt, IsForItsKeyInItsFilter) {
  for (const hasher& h : {hasher::xxh3(), hasher::xxh3(7), hasher::fnv1a_splitmix(),
                          hasher::xxh64(), hasher::siphash13(counting_secret())}) {
    const receipt r = issued(h);
    EXPECT_FALSE(r.empty());
    EXPECT_EQ(must(r.key_for(h, scope)), h.hash("alice"));
  }
}

TEST(Receipt, IsRefusedByOtherFilters) {
  const receipt r = issued();
  EXPECT_EQ(refusal(r, hasher::xxh3(), scope + 1), errc::incompatible);
  EXPECT_EQ(refusal(r, hasher::xxh3(1)), errc::incompatible) << "another seed";
  EXPECT_EQ(refusal(r, hasher::xxh64()), errc::incompatible) << "another hash";
  EXPECT_EQ(refusal(r, hasher::siphash13(counting_secret())), errc::incompatible);
  auto secret = counting_secret();
  const receipt keyed = issued(hasher::siphash13(secret));
  for (std::byte& b : secret) {
    b ^= std::byte{1};
    EXPECT_EQ(refusal(keyed, hasher::siphash13(secret)), errc::incompatible);
    b ^= std::byte{1};
  }
}

// What keys are says nothing of the filter: the hash in the receipt decides.
TEST(Receipt, DoesNotDependOnTheSourceOfKeys) {
  const hasher h = hasher::xxh3();
  EXPECT_TRUE(issued().key_for(h.of(key_source::integers), scope));
}

TEST(Receipt, EveryPartOfTheScopeCounts) {
  const std::set<std::uint64_t> all{
      receipt_scope(6, 100, 12, 0), receipt_scope(7, 100, 12, 0),
      receipt_scope(6, 102, 12, 0), receipt_scope(6, 100, 13, 0),
      receipt_scope(6, 100, 12, 1), receipt_scope(6, 12, 100, 0),
      receipt_scope(6, 100, 0, 12), receipt_scope(0, 0, 0, 0)};
  EXPECT_EQ(all.size(), 8u);
}

TEST(Receipt, DamageOfAnyBitIsNoticed) {
  for (const hasher& h : {hasher::xxh3(), hasher::siphash13(counting_secret())}) {
    auto bytes = issued(h).bytes();
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      EXPECT_EQ(refusal(receipt::from_bytes(bytes), h), errc::incompatible) << bit;
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
    EXPECT_TRUE(receipt::from_bytes(bytes).key_for(h, scope));
  }
}

TEST(Receipt, NoneIsRefused) {
  const std::array<std::byte, 24> zeros{};
  EXPECT_TRUE(receipt().empty());
  EXPECT_TRUE(receipt::from_bytes(zeros).empty());
  EXPECT_EQ(refusal(receipt()), errc::incompatible);
  EXPECT_EQ(refusal(receipt::from_bytes(zeros)), errc::incompatible);
  EXPECT_EQ(receipt().bytes(), zeros);

  // A hash without a check is none, either, whatever the hash is.
  std::array<std::byte, 24> half = issued().bytes();
  std::fill(half.begin() + 8, half.end(), std::byte{0});
  EXPECT_TRUE(receipt::from_bytes(half).empty());
  EXPECT_EQ(refusal(receipt::from_bytes(half)), errc::incompatible);
}

TEST(Receipt, MovesAndLeavesNone) {
  receipt first = issued();
  const auto bytes = first.bytes();
  receipt second = std::move(first);
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(refusal(first), errc::incompatible);
  EXPECT_EQ(second.bytes(), bytes);
  first = std::move(second);
  EXPECT_TRUE(second.empty());
  EXPECT_EQ(first.bytes(), bytes);
  receipt& same = first;
  first = std::move(same);
  EXPECT_EQ(first.bytes(), bytes) << "moved to itself";
  first.use_up();
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(first.bytes(), (std::array<std::byte, 24>{}));
}

TEST(Receipt, TheNumberIsPartOfIt) {
  const hasher h = hasher::xxh3();
  const key k = h.hash("alice");
  std::set<std::array<std::byte, 24>> all;
  for (const std::uint64_t number : {0, 1, 2, 3}) {
    const receipt r = receipt::issue(h, k, scope, number);
    EXPECT_EQ(r.number(), number);
    EXPECT_EQ(must(r.key_for(h, scope)), k);
    all.insert(r.bytes());
    auto other = r.bytes();
    other[16] ^= std::byte{1};
    EXPECT_EQ(refusal(receipt::from_bytes(other)), errc::incompatible);
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST(Receipt, BytesAreHashCheckAndNumberLittleEndian) {
  const hasher h = hasher::xxh3();
  const key k = h.hash("alice");
  const auto bytes = issued().bytes();
  std::uint64_t hash = 0, check = 0;
  for (std::size_t i = 8; i-- > 0;) {
    hash = hash << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    check = check << 8 | std::to_integer<std::uint64_t>(bytes[8 + i]);
  }
  EXPECT_EQ(hash, k.bits());
  EXPECT_EQ(check, h.receipt_check(k, scope));
}

// Section 8 of spec/hash.md, written down a second time.
TEST(Receipt, TheCheckIsSipHashUnderAnotherKey) {
  const hasher h = hasher::siphash13(counting_secret());
  const key k = h.hash("k0");
  std::array<char, 16> message;
  for (unsigned i = 0; i < 8; ++i) {
    message[i] = static_cast<char>(k.bits() >> 8 * i);
    message[8 + i] = static_cast<char>(scope >> 8 * i);
  }
  const std::uint64_t k0 = 0x0706050403020100 ^ 0x72656d6f6f6c622e;
  const std::uint64_t k1 = 0x0f0e0d0c0b0a0908 ^ 0x7470696563657279 ^ 4;
  EXPECT_EQ(h.receipt_check(k, scope),
            hash::siphash13({message.data(), message.size()}, k0, k1));

  // Under the hash's own key, the hash of a well-chosen key would be a check.
  EXPECT_NE(h.receipt_check(k, scope),
            h.hash(std::string_view(message.data(), message.size())).bits());
}

TEST(Receipt, ChecksAreNeverZero) {
  const hasher h = hasher::xxh3();
  std::set<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    all.insert(h.receipt_check(key::from_bits(hash::splitmix64(i)), i));
  EXPECT_EQ(all.count(0), 0u);
  EXPECT_EQ(all.size(), 100'000u);
}

}  // namespace
}  // namespace bloomery
