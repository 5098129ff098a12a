// Every beginning and every flipped bit of a small image of every dialect, bare and in a
// container; and larger ones whose chunks are damaged one after the other.
#include <cstdio>
#include <optional>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/build.hpp>

#include "allocations.hpp"
#include "cases.hpp"
#include "container_samples.hpp"
#include "full.hpp"

namespace bloomery::testing {
namespace {

std::byte mask(std::size_t bit) { return static_cast<std::byte>(1u << (bit % 8)); }

std::vector<std::byte> wrapped(const dialect_sample& s) {
  return bytes_of(
      must(encode_wrapped(must(foreign_filter::decode(s.dialect, s.image, s.read)))));
}

// Bare bytes carry no checksum: whatever they say is believed, but it must be said in
// full, and cost no more than the bytes.
void ask_bare(const dialect_sample& s, std::span<const std::byte> bytes) {
  static const auto others = numbered("x", 20);
  // On the heap and no byte more, so that a sanitizer sees a read beyond the end.
  const std::vector<std::byte> exact(bytes.begin(), bytes.end());
  const allocation_watch watch;
  auto f = foreign_filter::decode(s.dialect, exact, s.read);
  if (!f) {
    ASSERT_LE(f.error().at, exact.size()) << f.error().what;
    ASSERT_NE(f.error().code, errc::io);
    ASSERT_STRNE(f.error().what, "");
    return;
  }
  for (const auto& k : others) (void)f->may_contain(k);
  const double fill = f->fill(), keys = f->estimated_keys();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(f->parts(), 4); ++i)
    (void)f->part(i);
  ASSERT_LE(watch.bytes(), exact.size() + max_beyond_input);
  ASSERT_TRUE(fill >= 0 && fill <= 1) << fill;
  ASSERT_TRUE(keys >= 0) << keys;
}

// Every kind of the list, so that a new one is among them.
TEST(EveryBit, OfAContainerOfEachKindIsRefusedOrReportedAndDeniesNoKey) {
  const auto ks = keys(1, 10);
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    filter_builder all;
    must(all.add(ks));
    const auto built = must(all.finish(k.facts.number, {}, k.facts.hasher()));
    auto bytes = bytes_of(must(encode_any(built.filter, built.notes())));
    std::size_t refused = 0, reported = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= mask(bit);
      read_report report;
      const auto f = decode_any(bytes, {}, &report);
      bytes[bit / 8] ^= mask(bit);
      if (!f) {
        ++refused;
        continue;
      }
      ++reported;
      ASSERT_EQ(report.damaged_chunks, 1u) << bit;
      for (const key x : ks) ASSERT_TRUE(f->may_contain(x)) << bit;
    }
    std::printf("%s: %zu bits refused, %zu reported as damage, 0 keys denied\n",
                k.facts.name, refused, reported);
    EXPECT_GT(reported, 0u);
    count_cases("flips", refused + reported);
  }
}

TEST(EveryBit, OfABareImageIsRefusedOrAnswers) {
  std::size_t cuts = 0, flips = 0;
  for (const auto& s : dialect_samples(10)) {
    SCOPED_TRACE(s.name);
    for (std::size_t n = 0; n < s.image.size(); ++n, ++cuts)
      ask_bare(s, std::span(s.image).first(n));
    auto flipped = s.image;
    for (std::size_t bit = 0; bit < 8 * flipped.size(); ++bit, ++flips) {
      flipped[bit / 8] ^= mask(bit);
      ask_bare(s, flipped);
      flipped[bit / 8] ^= mask(bit);
      if (HasFatalFailure()) FAIL() << "bit " << bit;
    }
  }
  std::printf("%zu beginnings, %zu flipped bits\n", cuts, flips);
  count_cases("cuts", cuts);
  count_cases("flips", flips);
}

TEST(EveryBit, OfAWrappedImageIsNoticedAndDeniesNoKey) {
  std::size_t cuts = 0, flips = 0, endured = 0;
  for (const auto& s : dialect_samples(10)) {
    SCOPED_TRACE(s.name);
    auto bytes = wrapped(s);
    for (std::size_t n = 0; n < bytes.size(); ++n, ++cuts)
      ASSERT_FALSE(decode_wrapped(std::span(bytes).first(n))) << n;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit, ++flips) {
      bytes[bit / 8] ^= mask(bit);
      read_report report;
      const auto f = decode_wrapped(bytes, {}, &report);
      bytes[bit / 8] ^= mask(bit);
      if (!f) {
        ASSERT_LE(f.error().at, bytes.size()) << f.error().what;
        continue;
      }
      ++endured;
      ASSERT_EQ(report.damaged_chunks, 1u) << bit;
      for (const auto& k : s.keys) ASSERT_TRUE(f->may_contain(k)) << bit << " " << k;
    }
  }
  std::printf("%zu beginnings, %zu flipped bits, %zu of them endured\n", cuts, flips,
              endured);
  count_cases("cuts", cuts);
  count_cases("flips", flips);
}

// Chunks a lookup reads at most, where it does not read them all.
std::optional<std::size_t> max_chunks(const dialect_sample& s) {
  const std::string_view v = s.read.variant;
  if (s.dialect == "fastfilter" && v != "packed8") return 3;  // one to a slot
  if (v == "cuckoo") return 4;         // two buckets, each perhaps on a border
  if (v == "ribbon") return 2;         // two neighbouring blocks of 112 bytes
  if (v.ends_with("json")) return 14;  // 7 bits, each in four characters
  return std::nullopt;
}

// Damages one byte of every chunk in turn.
void damage_chunks(const dialect_sample& s, std::size_t step) {
  const auto whole = wrapped(s);
  const auto facts = must(inspect(whole, whole.size()));
  ASSERT_GE(facts.chunks(), 3u);
  const auto sound = must(decode_wrapped(whole));
  const auto others = numbered("x", 300);
  std::vector<std::size_t> turned(others.size());  // by how many of the chunks
  std::size_t endured = 0, damaged = 0;
  for (std::uint64_t chunk = 0; chunk < facts.chunks(); ++chunk) {
    std::vector<bool> now(others.size());
    for (std::uint64_t at = 4096 * chunk;
         at < std::min(4096 * (chunk + 1), facts.payload_bytes); at += step) {
      auto bytes = whole;
      bytes[static_cast<std::size_t>(facts.payload_at + at)] ^= std::byte{0x10};
      ++damaged;
      read_report report;
      const auto f = decode_wrapped(bytes, {}, &report);
      if (!f) continue;  // in what gives it its form
      ++endured;
      ASSERT_EQ(report.damaged_chunks, 1u);
      for (const auto& k : s.keys) ASSERT_TRUE(f->may_contain(k)) << at << " " << k;
      for (std::size_t i = 0; i < others.size(); ++i) {
        const bool before = sound.may_contain(others[i]),
                   after = f->may_contain(others[i]);
        ASSERT_TRUE(after || !before) << at << " " << others[i];
        if (after != before) now[i] = true;
      }
      // Written again, the damage is still known or still endured, never forgotten.
      const auto again = encode_wrapped(*f);
      if (!again) {
        ASSERT_EQ(again.error().code, errc::corrupt);
        continue;
      }
      const auto reread = must(decode_wrapped(again->bytes()));
      for (const auto& k : s.keys) ASSERT_TRUE(reread.may_contain(k)) << at << " " << k;
    }
    for (std::size_t i = 0; i < others.size(); ++i) turned[i] += now[i];
  }
  EXPECT_GT(endured, 0u);
  count_cases("flips", damaged);
  const std::size_t most = max_chunks(s).value_or(facts.chunks());
  for (const std::size_t n : turned) EXPECT_LE(n, most);
}

TEST(DamagedChunks, DenyNoKeyAndLeaveOtherLookupsAlone) {
  for (const auto& s : dialect_samples(10'000)) {
    SCOPED_TRACE(s.name);
    damage_chunks(s, 4095);  // the first byte of a chunk, and the last
    if (HasFatalFailure()) return;
  }
}

TEST(DamagedChunksFull, DenyNoKeyWhereverTheByte) {
  BLOOMERY_FULL_ONLY();
  for (const auto& s : dialect_samples(10'000)) {
    SCOPED_TRACE(s.name);
    damage_chunks(s, 97);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace bloomery::testing
