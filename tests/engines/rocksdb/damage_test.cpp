// Files that were damaged under the engine: no wrong Get, no crash, and RocksDB's own
// status where RocksDB looks.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "cases.hpp"
#include "database.hpp"
#include "full.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

namespace fs = std::filesystem;
using bloomery_rocksdb::filter_form;

constexpr int keys = 3000;

std::string key_of(int i) { return "key" + std::to_string(2 * i); }

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The one table of a database of `keys` keys.
struct one_table {
  explicit one_table(const std::string& path, const database_setup& setup) {
    database db(path, setup);
    for (int i = 0; i < keys; ++i) must(db->Put({}, key_of(i), "v" + std::to_string(i)));
    must(db->Flush({}));
    db.compact();
    db.close();
    for (const auto& f : fs::directory_iterator(path))
      if (f.path().extension() == ".sst") file = f.path();
    bytes = read_file(file);
    // Ours ends in a zero, the kind, "blm".
    const auto mark = bytes.find("blm");
    end = mark + 3;
    const auto at = [&](std::size_t i) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
    };
    const std::uint32_t count = at(mark - 6) | at(mark - 5) << 8 | at(mark - 4) << 16;
    begin = at(mark - 1) < 64 ? end - 13 - 64 * count : end - 49 - count;
  }
  fs::path file;
  std::string bytes;
  std::size_t begin = 0, end = 0;  // of the filter
};

// Gets that a right database would not give; errors of the engine are none.
std::uint64_t wrong_gets(database& db) {
  std::uint64_t wrong = 0;
  std::string value;
  for (int i = 0; i < keys; i += 7) {
    const auto s = db->Get({}, key_of(i), &value);
    wrong += s.IsNotFound() || (s.ok() && value != "v" + std::to_string(i));
    wrong += db->Get({}, key_of(i) + "x", &value).ok();
  }
  return wrong;
}

class RocksDBDamage : public ::testing::TestWithParam<filter_form> {};
INSTANTIATE_TEST_SUITE_P(Forms, RocksDBDamage,
                         ::testing::Values(filter_form::block, filter_form::ribbon,
                                           filter_form::fuse));

TEST_P(RocksDBDamage, FiltersWithoutChecksums) {
  const temp_dir folder;
  const database_setup setup{.policy = own_policy(GetParam()),
                             .memtable = 1 << 20,
                             .checksum = rocksdb::kNoChecksum};
  const one_table table(folder / "db", setup);
  ASSERT_LT(table.begin, table.end);
  std::mt19937_64 random(1);
  const int rounds = full_run() ? 2000 : 150;
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = table.bytes;
    for (auto flips = 1 + random() % 64; flips-- > 0;) {
      const auto at = table.begin + random() % (table.end - table.begin);
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
    }
    if (i % 10 == 0)  // nothing but zeros, or ones, in a stretch of it
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(table.begin), 200,
                  i % 20 == 0 ? '\0' : '\xff');
    write_file(table.file, bytes);
    database db(folder / "db", setup);
    ASSERT_EQ(wrong_gets(db), 0u) << i;
  }
  count_cases("damaged", static_cast<std::uint64_t>(rounds));
}

TEST_P(RocksDBDamage, FiltersUnderChecksums) {
  const temp_dir folder;
  const database_setup setup{.policy = own_policy(GetParam()), .memtable = 1 << 20};
  const one_table table(folder / "db", setup);
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    std::string bytes = table.bytes;
    const auto at = table.begin + random() % (table.end - table.begin);
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
    write_file(table.file, bytes);
    database closed(folder / "db", setup);
    EXPECT_TRUE(closed->VerifyChecksum().IsCorruption()) << i;
    EXPECT_EQ(wrong_gets(closed), 0u) << i;
  }
  write_file(table.file, table.bytes);
  database db(folder / "db", setup);
  EXPECT_TRUE(db->VerifyChecksum().ok());
}

// Cut anywhere: RocksDB refuses to open it, or to read from it.
TEST_P(RocksDBDamage, CutFiles) {
  const temp_dir folder;
  const database_setup setup{.policy = own_policy(GetParam()), .memtable = 1 << 20};
  const one_table table(folder / "db", setup);
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    const std::size_t some = i < 10 ? table.begin + 13 * static_cast<std::size_t>(i)
                                    : random() % table.bytes.size();
    write_file(table.file, table.bytes.substr(0, some));
    try {
      database db(folder / "db", setup);
      EXPECT_EQ(wrong_gets(db), 0u) << some;
    } catch (const std::runtime_error& refused) {
      EXPECT_NE(std::string(refused.what()).find("Corruption"), std::string::npos)
          << refused.what();
    }
  }
  count_cases("cuts", 60);
}

}  // namespace
}  // namespace bloomery::testing
