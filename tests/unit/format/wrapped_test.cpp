// Other systems' bytes in containers: they come back as they were, and damage is endured
// or refused, never believed.
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>

#include <gtest/gtest.h>

#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "cases.hpp"
#include "fixtures.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using namespace std::string_literals;

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
  count_cases("flips", 8 * bytes.size());
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

// Notes that must be understood are, or the file is refused by name: in every kind.
TEST(ContainerNotes, WhatMustBeUnderstoodIsRefused) {
  const auto with_notes = [](std::vector<std::byte> file, std::string_view note) {
    const auto tail = must(inspect(file, file.size())).tail_at();
    file.resize(file.size() - 4);
    for (const char c : note) file.push_back(static_cast<std::byte>(c));
    base::byte_writer(std::span(file).subspan(96))
        .write(static_cast<std::uint32_t>(note.size()));
    base::byte_writer(std::span(file).subspan(124))
        .write(base::crc32c(std::span(file).first(124)));
    file.resize(file.size() + 4);
    const auto covered = std::span(file).subspan(tail, file.size() - 4 - tail);
    base::byte_writer(std::span(file).last(4)).write(base::crc32c(covered));
    return file;
  };
  const auto f = must(must(block_bloom::build(keys(1, 20))).encode());
  const std::vector<std::byte> file(f.bytes().begin(), f.bytes().end());
  using namespace std::string_view_literals;
  const auto optional = "\x02\x00\x00\x00\x01\x00\x00\x00x"sv;
  EXPECT_TRUE(block_bloom::decode(with_notes(file, optional)));
  const auto twice = std::string(optional) + std::string(optional);
  EXPECT_EQ(block_bloom::decode(with_notes(file, twice)).error().code, errc::corrupt);
  EXPECT_EQ(block_bloom::decode(with_notes(file, "zzz")).error().code, errc::corrupt);
  for (const auto tag : {"\x01\x80"sv, "\x03\x80"sv}) {
    const auto refused =
        block_bloom::decode(with_notes(file, std::string(tag) + "\0\0\0\0\0\0"s));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::unsupported);
    EXPECT_EQ(refused.error().asked, 0x8000 + tag[0]);
  }
}

TEST(Wrapped, KeepsBytesThatItsOwnerWouldWriteOtherwise) {
  foreign_params p;
  p.keys = 10;
  p.variant = "counted";
  auto f = must(foreign_filter::make("datasketches", p));
  for (const auto& k : numbered("k", 10)) must(f.insert(k));
  const auto made = must(f.encode());
  std::vector<std::byte> bytes(made.bytes().begin(), made.bytes().end());
  bytes[24] ^= std::byte{1};  // the count, which nobody believes
  const auto read = must(foreign_filter::decode("datasketches", bytes));
  const auto wrapped = must(encode_wrapped(read));
  const auto back = must(decode_wrapped(wrapped.bytes()));
  EXPECT_EQ(to_hex(must(back.encode()).bytes()), to_hex(bytes));
  foreign_options dirty;
  dirty.variant = "dirty";
  EXPECT_EQ(foreign_filter::decode("datasketches", bytes, dirty).error().code,
            errc::invalid_argument);
}

TEST(Wrapped, OptionsThatContradictTheBytesAreRefusedAndNeverStored) {
  const auto f = sample(20);
  foreign_options o;
  o.hashes = f.hashes() + 1;
  EXPECT_EQ(foreign_filter::decode("atomicbloom", f.bytes(), o).error().code,
            errc::invalid_argument);
  o.hashes = f.hashes();
  o.seed = 5;
  const auto read = must(foreign_filter::decode("atomicbloom", f.bytes(), o));
  EXPECT_FALSE(read.options().hashes);
  EXPECT_FALSE(read.options().seed);
}

}  // namespace
}  // namespace bloomery::testing
