// Tables that are damaged on the disk, with LevelDB's checksums off, which is its
// default, and on; tables that end anywhere.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "cases.hpp"
#include "databases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "policies.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery_leveldb::testing {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t keys = 600;

std::string read(const fs::path& at) {
  std::ifstream file(at, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const fs::path& at, const std::string& bytes) {
  std::ofstream(at, std::ios::binary) << bytes;
}

// A database of one table, which tests replace.
struct damaged {
  bloomery::testing::temp_dir dir;
  counted filters{ours()};
  fs::path table;
  std::string whole;

  damaged() {
    auto o = small_tables(&filters);
    o.write_buffer_size = 4 << 20;
    load(*open(o, dir / "db"), 0, keys);
    const auto tables = tables_of(dir / "db");
    if (tables.size() != 1) throw std::runtime_error("not one table");
    table = tables[0];
    whole = read(table);
  }

  std::unique_ptr<leveldb::DB> opened(const std::string& bytes, bool paranoid = false) {
    write(table, bytes);
    auto o = small_tables(&filters);
    o.paranoid_checks = paranoid;
    o.reuse_logs = true;  // nothing is written
    return open(o, dir / "db");
  }
  // Where the filters begin and end.
  std::pair<std::size_t, std::size_t> filter_bytes() const {
    const auto f = bloomery::testing::must(
        bloomery::foreign_filter::load("leveldb", table.string()));
    std::size_t first = whole.size(), end = 0;
    for (std::uint64_t i = 0; i < f.parts(); ++i) {
      const auto part = f.part(i);
      if (part.length == 0) continue;
      first = std::min<std::size_t>(first, part.offset);
      end = std::max<std::size_t>(end, part.offset + part.length + 1);
    }
    return {first, end};
  }
};

TEST(LevelDbDamage, ChangedBitsOfFiltersWithChecksumsOff) {
  damaged d;
  const auto [first, end] = d.filter_bytes();
  ASSERT_GT(end - first, keys);
  bloomery::testing::random from(31);
  const int tries = bloomery::testing::full_run() ? 10'000 : 500;
  for (int i = 0; i < tries; ++i) {
    std::string bytes = d.whole;
    for (std::uint64_t flips = 1 + from.below(i % 2 == 0 ? 1 : 40); flips-- > 0;) {
      char& c = bytes[first + from.below(end - first)];
      c = static_cast<char>(c ^ 1 << from.below(8));
      // A mark that became one of the built-in policy: see RandomBytesAsFilters.
    }
    const auto db = d.opened(bytes);
    ASSERT_NO_FATAL_FAILURE(expect_keys(*db, keys)) << i;
  }
  bloomery::testing::count_cases("damaged_tables", static_cast<std::uint64_t>(tries));
}

// LevelDB then reads the table without its filters.
TEST(LevelDbDamage, ChangedBitsOfFiltersWithChecksumsOn) {
  damaged d;
  const auto [first, end] = d.filter_bytes();
  for (std::size_t at = first; at < end; at += 7) {
    std::string bytes = d.whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    const auto db = d.opened(bytes, true);
    d.filters.passed = d.filters.refused = 0;
    ASSERT_NO_FATAL_FAILURE(expect_keys(*db, keys));
    EXPECT_EQ(d.filters.passed + d.filters.refused, 0u);
  }
}

// Data: LevelDB's own status, or the right answer.
TEST(LevelDbDamage, ChangedBitsOfDataWithChecksumsOn) {
  damaged d;
  const auto [first, end] = d.filter_bytes();
  leveldb::ReadOptions checked;
  checked.verify_checksums = true;
  std::uint64_t corrupt = 0;
  for (std::size_t at = 0; at < first; at += first / 50) {
    std::string bytes = d.whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    const auto db = d.opened(bytes, true);
    std::string value;
    for (std::uint64_t i = 0; i < keys; ++i) {
      const auto s = db->Get(checked, key_of(i), &value);
      corrupt += s.IsCorruption();
      ASSERT_TRUE(s.IsCorruption() || (s.ok() && value == value_of(i))) << s.ToString();
    }
  }
  EXPECT_GT(corrupt, 0u);
}

TEST(LevelDbDamage, TablesThatEndAnywhere) {
  damaged d;
  const std::size_t step = bloomery::testing::full_run() ? 7 : d.whole.size() / 400;
  std::uint64_t cuts = 0;
  for (std::size_t size = 0; size < d.whole.size(); size += step, ++cuts)
    for (const bool paranoid : {false, true}) {
      const auto db = d.opened(d.whole.substr(0, size), paranoid);
      std::string value;
      for (std::uint64_t i = 0; i < keys; i += 17) {
        const auto s = db->Get({}, key_of(i), &value);
        ASSERT_TRUE(s.IsCorruption() || s.IsIOError()) << size << " " << s.ToString();
      }
    }
  bloomery::testing::count_cases("cuts", cuts);
}

}  // namespace
}  // namespace bloomery_leveldb::testing
