// What keys are: in files of every kind, and in what is refused.
#include <bloomery/any_filter.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/snapshot.hpp>

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery {
namespace {

using testing::must;

any_filter filter_of(const kind_info& kind, key_source source) {
  size_request size;
  size.fpr = 0.01;
  const hasher h = kind.facts.hasher().of(source);
  std::vector<key> keys;
  for (std::uint64_t i = 0; i < 100; ++i)
    keys.push_back(source == key_source::integers ? h.hash_u64(i)
                   : source == key_source::hashes ? h.from_hash(i * 0x9e3779b97f4a7c15)
                                                  : h.hash(std::to_string(i)));
  return must(kind.build(keys, keys.size(), size, h, 1));
}

std::string text_of(const pages& p) {
  return {reinterpret_cast<const char*>(p.data()), p.size()};
}
std::span<const std::byte> bytes_of(const std::string& s) {
  return std::as_bytes(std::span(s));
}

constexpr key_source some[] = {key_source::bytes, key_source::integers,
                               key_source::hashes, key_source::int64be};

TEST(KeySources, AreInEveryKindsFileAndInNoOtherPlace) {
  for (const kind_info& kind : kinds())
    for (const key_source source : some) {
      SCOPED_TRACE(std::string(kind.facts.name) + " " + name_of(source));
      const any_filter f = filter_of(kind, source);
      const std::string bytes = text_of(must(encode_any(f)));
      // A file of byte keys has no note: it is what it was before there were sources.
      EXPECT_EQ(must(inspect(bytes_of(bytes).first(128), bytes.size())).notes_bytes,
                source == key_source::bytes ? 0 : 8 + std::strlen(name_of(source)));
      read_report report;
      const any_filter again =
          must(decode_any(bytes_of(bytes), {.source = source}, &report));
      EXPECT_TRUE(again == f);
      EXPECT_EQ(again.hasher().source(), source);
      EXPECT_EQ(report.facts.source, source);
      EXPECT_EQ(
          must(decode_any(bytes_of(bytes), {.source = std::nullopt})).hasher().source(),
          source);
      EXPECT_TRUE(must(f.empty_like()).hasher() == f.hasher());
    }
}

TEST(KeySources, OtherKeysThanTheFilesAreRefusedByName) {
  for (const kind_info& kind : kinds())
    for (const key_source written : some) {
      const std::string bytes = text_of(must(encode_any(filter_of(kind, written))));
      for (const key_source asked : some) {
        const auto read = decode_any(bytes_of(bytes), {.source = asked});
        if (written == key_source::bytes) {
          // No record: the caller's word, which the next file records.
          ASSERT_TRUE(read);
          EXPECT_EQ(read->hasher().source(), asked);
          continue;
        }
        EXPECT_EQ(static_cast<bool>(read), asked == written);
        if (read) continue;
        EXPECT_EQ(read.error().code, errc::incompatible);
        EXPECT_NE(std::string(read.error().what).find(name_of(written)),
                  std::string::npos);
        EXPECT_EQ(read.error().at, bytes.size() - 4 - 8 - std::strlen(name_of(written)));
      }
    }
}

TEST(KeySources, DoNotMix) {
  for (const kind_info& kind : kinds()) {
    any_filter bytes = filter_of(kind, key_source::bytes);
    const any_filter integers = filter_of(kind, key_source::integers);
    EXPECT_FALSE(bytes == integers);
    if (!bytes.can(capability::merge)) continue;
    const auto merged = bytes.merge(integers);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code, errc::incompatible);
  }
}

TEST(KeySources, OfAMappedFileAndOfAPackedSet) {
  const testing::temp_dir here;
  const std::string path = here / "f.bloom", set_path = here / "s.bloom";
  auto f = must(
      block_bloom::make({.keys = 10, .hasher = hasher::xxh3().of(key_source::integers)}));
  f.insert(f.hash_u64(42));
  must(f.save(path.c_str()));
  using view = filter_view<block_bloom>;
  EXPECT_EQ(view::open(path.c_str()).error().code, errc::incompatible);
  const auto mapped = must(view::open(path.c_str(), {.source = key_source::integers}));
  EXPECT_TRUE(mapped.may_contain(mapped.hash_u64(42)));
  EXPECT_FALSE(mapped.may_contain(mapped.hash_u64(43)));

  auto writer = must(packed_writer::create(set_path.c_str()));
  must(writer.add(f));
  EXPECT_EQ(writer.add(must(block_bloom::make({.keys = 10}))).error().code,
            errc::incompatible);
  must(writer.finish());
  EXPECT_EQ(packed_set::open(set_path.c_str()).error().code, errc::incompatible);
  const auto set = must(packed_set::open(set_path.c_str(), {.source = std::nullopt}));
  EXPECT_EQ(set.hasher().source(), key_source::integers);
  EXPECT_TRUE(set.may_contain(0, set.hash_u64(42)));
  EXPECT_EQ(set.verify_all(), 0u);
}

TEST(KeySources, OfASnapshot) {
  const testing::temp_dir here;
  const std::string path = here / "f.bloom";
  auto f = must(concurrent<block_bloom>::make(
      {.keys = 10, .hasher = hasher::xxh3().of(key_source::hashes)}));
  f.insert(f.from_hash(0x123456789abcdef0));
  must(save_snapshot(f, path.c_str()));
  const auto again =
      must(load_container<block_bloom>(path.c_str(), {.source = key_source::hashes}));
  EXPECT_TRUE(again.may_contain(again.from_hash(0x123456789abcdef0)));
}

TEST(KeySources, ThePortableBytesCannotSay) {
  const auto f = must(portable_bloom::make({.keys = 10, .source = key_source::integers}));
  EXPECT_EQ(f.encode().error().code, errc::unsupported);
  const testing::temp_dir here;
  const std::string path = here / "p.bloom";
  EXPECT_EQ(f.save(path.c_str()).error().code, errc::unsupported);
  const auto bare = must(must(portable_bloom::make({.keys = 10})).encode());
  EXPECT_EQ(
      must(portable_bloom::decode(bare.bytes(), key_source::integers)).hasher().source(),
      key_source::integers);
}

// Whatever a reader would refuse is refused before the old file is gone.
class BuilderNotes : public ::testing::Test {
 protected:
  BuilderNotes() {
    f_.insert("alice");
    must(f_.save(path_.c_str()));
  }
  ~BuilderNotes() override {
    EXPECT_TRUE(must(block_bloom::load(path_.c_str())) == f_);
    EXPECT_TRUE(must(inspect(other_.c_str())).keys == 7);
  }
  // Refused by every writer, over a file that stays.
  void expect_refused(const write_notes& notes) {
    const auto code = [](const auto& r) { return r ? errc::io : r.error().code; };
    EXPECT_EQ(code(save_container(f_, path_.c_str(), notes)), errc::invalid_argument);
    EXPECT_EQ(code(encode_container(f_, notes)), errc::invalid_argument);
    EXPECT_EQ(code(container_size(f_, notes)), errc::invalid_argument);
    EXPECT_EQ(code(save_snapshot(shared_, path_.c_str(), notes)), errc::invalid_argument);
    auto writer = must(packed_writer::create(other_.c_str()));
    must(writer.add(f_));
    EXPECT_EQ(code(writer.finish(notes)), errc::invalid_argument);
  }

  testing::temp_dir here_;
  std::string path_ = here_ / "f.bloom", other_ = here_ / "s.bloom";
  block_bloom f_ = must(block_bloom::make({.keys = 10}));
  concurrent<block_bloom> shared_ = [this] {
    auto made = must(concurrent<block_bloom>::make({.keys = 10}));
    made.insert("alice");
    auto writer = must(packed_writer::create(other_.c_str()));
    must(writer.add(f_));
    must(writer.finish({.keys = 7}));
    return made;
  }();
};

TEST_F(BuilderNotes, OfARateThatIsNone) {
  for (const double fpr : {1.0, 100.0, -0.01, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
    expect_refused({.asked_fpr = fpr});
}

TEST_F(BuilderNotes, OfSentinelsThatAReaderWouldNotFind) {
  const key in = f_.hash("alice"), out = f_.hash("bob");
  ASSERT_FALSE(f_.may_contain(out));
  expect_refused({.sentinels = {&out, 1}});
  const std::vector<key> many(9, in);
  expect_refused({.sentinels = many});
  must(save_container(f_, path_.c_str(), {.sentinels = {&in, 1}}));
}

}  // namespace
}  // namespace bloomery
