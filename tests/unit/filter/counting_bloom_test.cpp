// Counters: what they hold, when they stop, and what is refused.
#include <bloomery/counting_bloom.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/counting/sizing.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/kinds.hpp>

#include "cases.hpp"
#include "counting_oracle.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::counting_oracle;
using testing::counting_shapes;
using testing::keys;
using testing::must;

static_assert(!std::is_copy_constructible_v<counting_bloom>);
static_assert(std::is_nothrow_move_constructible_v<counting_bloom>);
static_assert(std::is_nothrow_move_assignable_v<counting_bloom>);

counting_bloom made(const counting_shape& s) { return must(counting_bloom::make(s)); }

std::string trace(const counting_shape& s) {
  return std::string(name_of(s.layout)) + " cells=" + std::to_string(s.cells) +
         " width=" + std::to_string(s.cell_bits) + " k=" + std::to_string(s.hashes);
}

TEST(CountingBloom, DoesWhatTheSpecificationSays) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto f = made(s);
    counting_oracle want(s);
    const auto ks = keys(1, 60);
    std::mt19937_64 random(s.cells);
    for (int i = 0; i < 3000; ++i) {
      const key k = ks[random() % ks.size()];
      switch (random() % 4) {
        case 0:
        case 1:
          f.insert(k), want.insert(k);
          break;
        case 2:
          ASSERT_EQ(f.erase_present(k).has_value(), want.erase(k));
          break;
        default:
          ASSERT_EQ(f.may_contain(k), want.may_contain(k));
          ASSERT_EQ(f.count(k), want.count(k));
      }
      if (i % 100 != 0) continue;
      ASSERT_EQ(testing::to_hex(f.bytes()), testing::to_hex(want.bytes()));
      ASSERT_EQ(f.stuck_cells(), want.stuck());
      ASSERT_EQ(f.nonzero_cells(), want.nonzero());
    }
    testing::count_cases("operations", 3000);
  }
}

TEST(CountingBloom, BatchesDoWhatSingleCallsDo) {
  for (counting_shape s : counting_shapes())
    for (const bool large : {false, true}) {
      if (large) s.cells *= 4096;  // beyond the cache
      SCOPED_TRACE(trace(s));
      auto one = made(s), many = made(s);
      const auto ks = keys(s.cells, 700);
      std::vector<key> twice(ks);
      twice.insert(twice.end(), ks.begin(), ks.begin() + 300);
      for (const key k : twice) one.insert(k);
      EXPECT_EQ(many.try_insert(std::span<const key>(twice)), twice.size());
      EXPECT_TRUE(one == many);
      const auto asked = keys(s.cells + 1, 1500);
      std::vector<key> both(ks.begin(), ks.begin() + 500);
      both.insert(both.end(), asked.begin(), asked.end());
      const auto got = std::make_unique<bool[]>(both.size());
      many.may_contain(both, std::span(got.get(), both.size()));
      for (std::size_t i = 0; i < both.size(); ++i)
        ASSERT_EQ(got[i], one.may_contain(both[i]));
      const auto erased = must(many.erase_present(std::span<const key>(both),
                                                  std::span(got.get(), both.size())));
      std::size_t singly = 0;
      for (std::size_t i = 0; i < both.size(); ++i) {
        const bool done = one.erase_present(both[i]).has_value();
        ASSERT_EQ(done, got[i]);
        singly += done;
      }
      EXPECT_EQ(erased, singly);
      EXPECT_TRUE(one == many);
    }
}

// A hundred copies are too many for 4 bits: after as many erases the key is still there.
TEST(CountingBloom, OverflowIsNeverAFalseNegative) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto f = made(s);
    const key k = f.hash("alice"), other = f.hash("bob");
    f.insert(other);
    const std::uint64_t copies = s.cell_bits == 8 ? 300 : 100;
    for (std::uint64_t i = 0; i < copies; ++i) f.insert(k);
    const bool sticks = s.cell_bits != 32;
    EXPECT_EQ(f.count(k),
              sticks ? cell_probe::unknown_count : copies + (s.cells == 1 ? 1 : 0));
    EXPECT_EQ(f.stuck_cells() != 0, sticks);
    for (std::uint64_t i = 0; i < copies; ++i) ASSERT_TRUE(f.erase_present(k));
    EXPECT_TRUE(f.may_contain(other));
    if (sticks) {
      EXPECT_TRUE(f.may_contain(k));
      EXPECT_GT(f.stuck_cells(), 0u);
      EXPECT_GT(f.realised_fpr(), 0.0);
    } else if (s.cells > 1) {
      EXPECT_EQ(f.count(k), 0u);
    }
  }
}

TEST(CountingBloom, AnAbsentKeyIsNotErased) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto f = made(s);
    for (const key k : keys(3, 5)) f.insert(k);
    const auto before = must(f.clone());
    std::size_t refused = 0;
    for (const key k : keys(4, 200)) {
      if (f.may_contain(k)) continue;
      const auto done = f.erase_present(k);
      ASSERT_FALSE(done);
      EXPECT_EQ(done.error().code, errc::not_present);
      ++refused;
    }
    EXPECT_TRUE(f == before);
    if (s.cells > 100) {
      EXPECT_GT(refused, 100u);
    }
  }
}

TEST(CountingBloom, ReceiptsEraseOnceAndOnlyHere) {
  auto f = must(counting_bloom::make({.keys = 1000, .identity = 1}));
  auto g = must(counting_bloom::make({.keys = 1000, .identity = 2}));
  auto wide = must(counting_bloom::make({.keys = 1000, .cell_bits = 8, .identity = 1}));
  auto r = must(f.try_insert_with_receipt("alice"));
  g.insert("alice"), wide.insert("alice");
  const auto stored = r.bytes();
  for (counting_bloom* other : {&g, &wide}) {
    const auto done = other->erase(receipt::from_bytes(stored));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::incompatible);
    EXPECT_TRUE(other->may_contain("alice"));
  }
  EXPECT_EQ(f.count("alice"), 1u);
  must(f.erase(std::move(r)));
  EXPECT_TRUE(r.empty());
  EXPECT_FALSE(f.may_contain("alice"));
  const auto again = f.erase(receipt::from_bytes(stored));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, errc::not_present);
  auto damaged = stored;
  damaged[3] ^= std::byte{1};
  EXPECT_EQ(f.erase(receipt::from_bytes(damaged)).error().code, errc::incompatible);
  EXPECT_EQ(f.erase(receipt{}).error().code, errc::incompatible);
}

// Merged is inserted into one, saturation included.
TEST(CountingBloom, MergeAddsAndSaturates) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto a = made(s), b = made(s), both = made(s);
    std::mt19937_64 random(7);
    const auto ks = keys(5, 40);
    for (int i = 0; i < 400; ++i) {
      const key k = ks[random() % ks.size()];
      (i % 2 == 0 ? a : b).insert(k);
      both.insert(k);
    }
    must(a.merge(b));
    EXPECT_TRUE(a == both);
    EXPECT_EQ(a.stuck_cells(), both.stuck_cells());
  }
  auto f = must(counting_bloom::make({.keys = 100}));
  const auto expect_refused = [&](const counting_bloom& other) {
    const auto merged = f.merge(other);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code, errc::incompatible);
  };
  expect_refused(must(counting_bloom::make({.keys = 200})));
  expect_refused(must(counting_bloom::make({.keys = 100, .cell_bits = 8})));
  expect_refused(must(counting_bloom::make({.keys = 100, .layout = cell_layout::flat})));
  expect_refused(must(counting_bloom::make({.keys = 100, .hasher = hasher::xxh3(1)})));
  must(f.merge(must(counting_bloom::make({.keys = 100, .identity = 9}))));
  EXPECT_EQ(f.identity(), 0u);
}

// Published it is the filter of bits into which the keys were inserted that it holds.
TEST(CountingBloom, BecomesTheFilterOfItsKeys) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto f = must(counting_bloom::make(s, 77, hasher::xxh3(4)));
    const auto ks = keys(6, s.cells < 1000 ? 3 : 60), gone = keys(7, 2);
    f.insert(std::span<const key>(ks));
    for (const key k : gone) f.insert(k);
    for (const key k : gone) must(f.erase_present(k));
    if (s.is_line()) {
      auto want = must(block_bloom::make(s.published(), 77, hasher::xxh3(4)));
      want.insert(std::span<const key>(ks));
      const auto got = must(f.to_block_bloom());
      EXPECT_TRUE(got == want);
      EXPECT_EQ(got.capacity(), 77u);
      EXPECT_EQ(f.to_bloom().error().code, errc::unsupported);
      EXPECT_DOUBLE_EQ(f.realised_fpr(), want.realised_fpr());
      EXPECT_DOUBLE_EQ(f.estimated_keys(), want.estimated_keys());
    } else {
      auto want = must(bloom::make(bloom_layout{s.cells, s.hashes}, 77, hasher::xxh3(4)));
      want.insert(std::span<const key>(ks));
      const auto got = must(f.to_bloom());
      EXPECT_TRUE(got == want);
      EXPECT_EQ(f.to_block_bloom().error().code, errc::unsupported);
      EXPECT_DOUBLE_EQ(f.realised_fpr(), want.realised_fpr());
      EXPECT_DOUBLE_EQ(f.estimated_keys(), want.estimated_keys());
    }
    EXPECT_LE(f.fill(), 1.0);
  }
}

TEST(CountingBloom, IsSizedByRateAndMemory) {
  const auto line = must(size_counting_by_rate(1'000'000, 0.01));
  EXPECT_EQ(line.layout, cell_layout::line);
  EXPECT_LE(static_cast<double>(line.size_in_bytes()) * 8 / 1e6, 46.0);
  EXPECT_LE(must(counting_bloom::make(line)).expected_fpr(1'000'000), 0.01);
  const auto flat = must(size_counting_by_rate(1'000'000, 1e-5));
  EXPECT_EQ(flat.layout, cell_layout::flat);
  EXPECT_LE(static_cast<double>(flat.size_in_bytes()) * 8 / 1e6, 97.0);
  for (const unsigned width : {4u, 8u, 32u})
    for (const cell_layout l : {cell_layout::line, cell_layout::flat}) {
      const auto s = must(size_counting_by_rate(5000, 0.002, width, l));
      EXPECT_EQ(s.layout, l);
      EXPECT_EQ(s.cell_bits, width);
      const auto m = must(size_counting_by_memory(5000, s.size_in_bytes(), width, l));
      EXPECT_EQ(m.cells, s.cells);
      EXPECT_LE(must(counting_bloom::make(m)).expected_fpr(5000), 0.0021);
    }
  EXPECT_EQ(must(size_counting_by_memory(1000, 46 * 125)).layout, cell_layout::line);
  EXPECT_EQ(must(size_counting_by_memory(1000, 200 * 125)).layout, cell_layout::flat);
  EXPECT_EQ(must(size_counting_by_memory(10, 3)).cells, 6u);
}

TEST(CountingBloom, RefusesImpossibleShapes) {
  const auto code = [](counting_shape s) { return counting_bloom::make(s).error().code; };
  using enum cell_layout;
  EXPECT_EQ(code({0, line, 4, 8}), errc::invalid_argument);
  EXPECT_EQ(code({127, line, 4, 8}), errc::invalid_argument);
  EXPECT_EQ(code({128, line, 4, 7}), errc::invalid_argument);
  EXPECT_EQ(code({128, line, 5, 8}), errc::invalid_argument);
  EXPECT_EQ(code({128, by_rate, 4, 8}), errc::invalid_argument);
  EXPECT_EQ(code({128, flat, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({128, flat, 4, 65}), errc::too_large);
  EXPECT_EQ(code({(std::uint64_t{1} << 46) + 1, flat, 4, 7}), errc::too_large);
  const auto by = [](std::uint64_t n, double fpr, unsigned width = 4) {
    return size_counting_by_rate(n, fpr, width).error().code;
  };
  EXPECT_EQ(by(0, 0.01), errc::invalid_argument);
  EXPECT_EQ(by(10, 0.0), errc::invalid_argument);
  EXPECT_EQ(by(10, 1.0), errc::invalid_argument);
  EXPECT_EQ(by(10, 0.01, 16), errc::invalid_argument);
  EXPECT_EQ(by(10, 1e-30), errc::unattainable);
  EXPECT_EQ(by(std::uint64_t{1} << 60, 0.01), errc::too_large);
  EXPECT_EQ(size_counting_by_memory(10, 0).error().code, errc::invalid_argument);
  EXPECT_EQ(size_counting_by_memory(10, 63, 4, line).error().code,
            errc::invalid_argument);
  EXPECT_EQ(size_counting_by_memory(10, 3, 32, flat).error().code,
            errc::invalid_argument);
}

// Cells are asked for by width and layout; kinds without cells refuse.
TEST(CountingBloom, OtherKindsHaveNoCells) {
  for (const kind_info& k : kinds()) {
    size_request wide, flat;
    must(set_option(wide, "cell_bits", 8));
    must(set_option(flat, "layout", "flat"));
    for (const size_request& r : {wide, flat}) {
      const auto size = k.layout(1000, r);
      EXPECT_EQ(size.has_value(), (k.facts.number == container_kind::counting))
          << k.facts.name;
      if (!size) {
        EXPECT_EQ(size.error().code, errc::unsupported);
      }
    }
  }
}

// A chunk that is damaged: its cells count as not 0, and nothing in it changes.
TEST(CountingBloom, DamageIsPossiblyPresentAndRefusesChanges) {
  for (const counting_shape s : {counting_shape{128 * 200, cell_layout::line, 4, 8},
                                 counting_shape{20'000, cell_layout::flat, 4, 5}}) {
    SCOPED_TRACE(trace(s));
    auto whole = made(s);
    const auto ks = keys(8, 100);
    whole.insert(std::span<const key>(ks));
    const auto encoded = must(whole.encode());
    std::vector<std::byte> bytes(encoded.bytes().begin(), encoded.bytes().end());
    bytes[128 + 5000] ^= std::byte{0xff};
    auto f = must(counting_bloom::decode(bytes));
    EXPECT_EQ(f.damage().damaged_chunks(), 1u);
    EXPECT_GT(f.realised_fpr(), whole.realised_fpr());
    const auto batch = std::make_unique<bool[]>(ks.size());
    f.may_contain(ks, std::span(batch.get(), ks.size()));
    for (std::size_t i = 0; i < ks.size(); ++i) {
      ASSERT_TRUE(f.may_contain(ks[i]));
      ASSERT_TRUE(batch[i]);
      ASSERT_GE(f.count(ks[i]), 1u);
    }
    const auto is_hit = [&](key k) {
      return std::ranges::any_of(counting_oracle(s).cells_of(k),
                                 [](std::uint64_t c) { return c / 2 / 4096 == 1; });
    };
    std::size_t refused = 0;
    for (const key k : keys(9, 200)) {
      const std::vector<std::byte> before(f.bytes().begin(), f.bytes().end());
      const auto in = f.try_insert(k);
      EXPECT_EQ(in.has_value(), !is_hit(k));
      if (!in) {
        EXPECT_EQ(in.error().code, errc::corrupt);
        EXPECT_EQ(f.erase_present(k).error().code, errc::corrupt);
        EXPECT_TRUE(std::ranges::equal(before, f.bytes()));
        ++refused;
      } else {
        must(f.erase_present(k));
      }
      f.insert(k);
      EXPECT_TRUE(f.may_contain(k));
    }
    EXPECT_GT(refused, 10u);
    EXPECT_EQ(f.encode().error().code, errc::corrupt);
    EXPECT_EQ(f.merge(whole).error().code, errc::corrupt);
    EXPECT_EQ(f.clone().error().code, errc::corrupt);
    f.clear();
    EXPECT_TRUE(f.damage().empty());
    EXPECT_EQ(f.nonzero_cells(), 0u);
    must(f.try_insert(ks[0]));
  }
}

// The filter of a mapped file knows what was found damaged.
TEST(CountingBloom, TheFilterOfAViewDistrustsDamage) {
  for (const counting_shape s : {counting_shape{128 * 200, cell_layout::line, 4, 8},
                                 counting_shape{20'000, cell_layout::flat, 8, 5}}) {
    SCOPED_TRACE(trace(s));
    auto whole = made(s);
    const auto ks = keys(8, 300), others = keys(9, 300);
    whole.insert(std::span<const key>(ks));
    const auto encoded = must(whole.encode());
    std::vector<std::byte> bytes(encoded.bytes().begin(), encoded.bytes().end());
    std::fill_n(bytes.begin() + 128 + 4096, 4096, std::byte{0});
    const testing::temp_dir folder;
    const std::string path = folder / "damaged";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const auto view = must(filter_view<counting_bloom>::open(path));
    const auto copy = must(counting_bloom::decode(bytes));
    for (const key k : ks) ASSERT_TRUE(view.may_contain(k));
    for (const key k : others) ASSERT_EQ(view.may_contain(k), copy.may_contain(k));
    for (const key k : ks) ASSERT_TRUE(view.filter().may_contain(k));
    for (const key k : others)
      ASSERT_EQ(view.filter().may_contain(k), copy.may_contain(k));
    EXPECT_EQ(view.filter().damage().damaged_chunks(), 1u);
    EXPECT_EQ(view.filter().realised_fpr(), copy.realised_fpr());
    EXPECT_EQ(view.filter().encode().error().code, errc::corrupt);
  }
}

TEST(CountingBloom, KeepsIdentityAndWidthInFiles) {
  for (const counting_shape& s : counting_shapes()) {
    SCOPED_TRACE(trace(s));
    auto f = must(counting_bloom::make(s, 5, hasher::xxh3(3), 0x1234567890abcdef));
    f.insert("alice"), f.insert("bob");
    const auto g = must(counting_bloom::decode(must(f.encode()).bytes()));
    EXPECT_TRUE(f == g);
    EXPECT_EQ(g.identity(), 0x1234567890abcdefu);
    EXPECT_EQ(g.shape(), s);
    EXPECT_EQ(g.capacity(), 5u);
  }
}

}  // namespace
}  // namespace bloomery
