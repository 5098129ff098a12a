// Kinds whose payload is not bits: a lookup that reads a byte of a damaged chunk answers
// "perhaps", in memory and mapped.  (Filled with ones, a fingerprint denies its key.)
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/filter_view.hpp>

#include "cases.hpp"
#include "container_samples.hpp"
#include "fingerprints.hpp"
#include "format/container/filters.hpp"
#include "format/mapped_filter.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::fingerprints;
using testing::must;

constexpr format::kind_calls row = format::calls_of<fingerprints>();
constexpr std::uint64_t slots = 3000;  // 6000 bytes: two chunks

struct sample {
  std::vector<key> in;
  std::vector<std::byte> bytes;
};

sample made() {
  sample s;
  auto f = fingerprints::make(slots);
  for (const key k : testing::keys(1, 600))
    if (f.try_insert(k)) s.in.push_back(k);
  EXPECT_GT(s.in.size(), 500u);
  s.bytes = testing::bytes_of(must(format::encode_filter(row, &f, {.asked_fpr = 0.01})));
  return s;
}

result<fingerprints> decoded(std::span<const std::byte> bytes, read_report* report) {
  return detail::made_in_place<fingerprints>([&](void* where) noexcept {
    return format::read_filter(row, format::container_source(bytes), {}, report, where);
  });
}

// A filter over a mapping of the file, and what it needs to live.
struct mapped {
  std::optional<detail::mapped_filter> file;
  std::optional<fingerprints> filter;
};
result<void> map_file(const std::string& path, mapped& to) {
  const auto file = must(input_file::open(path.c_str()));
  auto over = detail::made_in_place<fingerprints>([&](void* where) noexcept {
    return format::map_filter(row, file, {}, to.file, where);
  });
  if (!over) return over.error();
  to.filter.emplace(*std::move(over));
  return {};
}

TEST(DamageRule, EveryFlippedBitIsRefusedOrAnsweredWithPerhaps) {
  sample s = made();
  const auto facts = must(inspect(std::span(s.bytes).first(128), s.bytes.size()));
  std::size_t refused = 0, reported = 0;
  for (std::size_t bit = 0; bit < 8 * s.bytes.size(); ++bit) {
    s.bytes[bit / 8] ^= std::byte(1 << bit % 8);
    read_report report;
    if (const auto f = decoded(s.bytes, &report)) {
      ++reported;
      ASSERT_EQ(report.damaged_chunks, 1u) << bit;
      for (const key k : s.in) ASSERT_TRUE(f->may_contain(k)) << bit;
    } else {
      ++refused;
    }
    s.bytes[bit / 8] ^= std::byte(1 << bit % 8);
  }
  EXPECT_EQ(reported, 8 * facts.padded_bytes());
  EXPECT_EQ(refused + reported, 8 * s.bytes.size());
  testing::count_cases("flips", refused + reported);
}

TEST(DamageRule, AChunkOfOnesWouldDenyKeys) {
  // The reason for the rule, so that nobody undoes it.
  sample s = made();
  const auto facts = must(inspect(std::span(s.bytes).first(128), s.bytes.size()));
  auto store = must(pages::make(static_cast<std::size_t>(facts.payload_bytes)));
  std::memset(store.data(), 0xff, store.size());
  const fingerprints f(slots, std::move(store));
  std::size_t denied = 0;
  for (const key k : s.in) denied += !f.may_contain(k);
  EXPECT_GT(denied, s.in.size() / 2);
}

TEST(DamageRule, LookupsThatMissTheDamageAreAsBefore) {
  sample s = made();
  read_report report;
  const auto good = must(decoded(s.bytes, &report));
  EXPECT_EQ(report.damaged_chunks, 0u);
  s.bytes[128 + 5000] ^= std::byte{1};  // the second chunk
  const auto bad = must(decoded(s.bytes, &report));
  std::size_t changed = 0, same = 0;
  for (const key k : testing::keys(2, 5000)) {
    const bool touches = 2 * good.place(k, 0) >= 4096 || 2 * good.place(k, 1) >= 4096;
    if (touches) {
      EXPECT_TRUE(bad.may_contain(k));
      changed += !good.may_contain(k);
    } else {
      EXPECT_EQ(bad.may_contain(k), good.may_contain(k));
      ++same;
    }
  }
  EXPECT_GT(changed, 1000u);
  EXPECT_GT(same, 1000u);
}

TEST(DamageRule, ADamagedFilterIsNotWrittenAgain) {
  sample s = made();
  s.bytes[128 + 100] ^= std::byte{1};
  read_report report;
  const auto f = must(decoded(s.bytes, &report));
  const auto again = format::encode_filter(row, &f, {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, errc::corrupt);
}

TEST(DamageRule, MappedFiltersAnswerTheSame) {
  sample s = made();
  const testing::temp_dir folder;
  const std::string path = folder / "fingerprints.bloom";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(s.bytes.data()),
             static_cast<std::streamsize>(s.bytes.size()));
  const auto facts = must(inspect(std::span(s.bytes).first(128), s.bytes.size()));
  const int fd = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  // Every byte of the payload, a different bit of each.
  for (std::uint64_t i = 0; i < facts.padded_bytes(); ++i) {
    const auto at = static_cast<off_t>(facts.payload_at + i);
    const std::byte good = s.bytes[static_cast<std::size_t>(at)];
    const std::byte bad = good ^ std::byte(1 << i % 8);
    ASSERT_EQ(::pwrite(fd, &bad, 1, at), 1);
    mapped m;
    must(map_file(path, m));
    const auto ask = [&](key k) { return row.ask_one(m.file->guard, &*m.filter, k); };
    for (const key k : s.in) ASSERT_TRUE(ask(k)) << i;
    m.file->guard.check_all();
    EXPECT_TRUE(m.file->guard.all_checked());
    EXPECT_FALSE(m.file->guard.is_plain());  // lookups go on asking
    EXPECT_EQ(m.file->guard.damaged(), 1u);
    ASSERT_EQ(::pwrite(fd, &good, 1, at), 1);
  }
  testing::count_cases("flips", facts.padded_bytes());
  ::close(fd);
  mapped m;
  must(map_file(path, m));
  m.file->guard.check_all();
  EXPECT_TRUE(m.file->guard.is_plain());
  EXPECT_EQ(m.file->guard.damaged(), 0u);
}

}  // namespace
}  // namespace bloomery
