// Other systems' bytes in containers: they come back as they were, and damage is endured
// or refused, never believed.
#include <bloomery/container.hpp>

#include <gtest/gtest.h>

#include "fixtures.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

foreign_filter sample(std::size_t n) {
  foreign_params p;
  p.keys = n;
  auto f = must(foreign_filter::make("atomicbloom", p));
  for (const auto& k : numbered("k", n)) must(f.insert(k));
  return f;
}

TEST(Wrapped, GivesTheBytesBack) {
  const temp_dir folder;
  const auto f = sample(10'000);
  const std::string path = folder / "f.bloom";
  must(save_wrapped(f, path.c_str()));
  const auto back = must(load_wrapped(path.c_str()));
  EXPECT_EQ(back.dialect(), "atomicbloom");
  EXPECT_EQ(to_hex(back.bytes()), to_hex(f.bytes()));
  EXPECT_EQ(must(verify_container(path.c_str())).damaged_chunks, 0u);
  EXPECT_EQ(must(inspect(path.c_str())).kind, container_kind::foreign);
  EXPECT_EQ(load_container<block_bloom>(path.c_str()).error().code, errc::incompatible);
}

TEST(Wrapped, EveryFlippedBitIsNoticedAndDeniesNoKey) {
  const auto f = sample(20);
  const auto p = must(encode_wrapped(f));
  std::vector<std::byte> bytes(p.bytes().begin(), p.bytes().end());
  const auto ks = numbered("k", 20);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    read_report report;
    const auto damaged = decode_wrapped(bytes, {}, &report);
    if (damaged) {
      ASSERT_EQ(report.damaged_chunks, 1u) << bit;
      for (const auto& k : ks) ASSERT_TRUE(damaged->may_contain(k)) << bit;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST(Wrapped, DamagedCellsCountAsSetAndADamagedHeaderIsRefused) {
  const auto f = sample(10'000);
  const auto p = must(encode_wrapped(f));
  std::vector<std::byte> bytes(p.bytes().begin(), p.bytes().end());
  const auto facts = must(inspect(bytes, bytes.size()));
  ASSERT_GE(facts.chunks(), 3u);
  auto cells = bytes;
  cells[static_cast<std::size_t>(facts.payload_at + 2 * 4096)] ^= std::byte{1};
  read_report report;
  const auto damaged = must(decode_wrapped(cells, {}, &report));
  EXPECT_EQ(report.damaged_chunks, 1u);
  for (const auto& k : numbered("k", 10'000)) ASSERT_TRUE(damaged.may_contain(k));
  EXPECT_GT(damaged.fill(), f.fill());
  // The first chunk holds the header: m, k, words.
  auto head = bytes;
  head[static_cast<std::size_t>(facts.payload_at + 1000)] ^= std::byte{1};
  EXPECT_EQ(decode_wrapped(head).error().code, errc::corrupt);
}

}  // namespace
}  // namespace bloomery::testing
