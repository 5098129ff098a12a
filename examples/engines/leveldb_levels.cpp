// One filter per level over the tables of a LevelDB database: how many bits each level
// gets under one memory budget, and one key against all levels, hashed once.
//
// LevelDB asks its own filters only, and has one policy for all levels.  These lie beside
// the tables: for programs that read tables themselves, for replicas, for caches in
// front.
#include <leveldb/db.h>
#include <leveldb/env.h>
#include <leveldb/table.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <bloomery/filter_set.hpp>
#include <bloomery/model.hpp>
#include <bloomery/print.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery_leveldb/table_filter.hpp>

namespace fs = std::filesystem;
using bloomery::ribbon;
using level_view = bloomery_leveldb::table_filter<ribbon>;

namespace {

template <class T>
T must(bloomery::result<T> r) {
  if (!r) throw std::runtime_error(to_string(r.error()));
  return *std::move(r);
}
void must(const bloomery::result<void>& r) {
  if (!r) throw std::runtime_error(to_string(r.error()));
}
void must(const leveldb::Status& s) {
  if (!s.ok()) throw std::runtime_error(s.ToString());
}

std::string key_of(int i) { return "user" + std::to_string(i); }

constexpr int old_keys = 20'000, new_keys = 2'000, all_keys = old_keys + new_keys;

// The old keys on one level, the new ones on another above it.
void write_database(const fs::path& folder) {
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  must(leveldb::DB::Open(options, folder.string(), &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  for (int i = 0; i < all_keys; ++i) {
    if (i == old_keys) db->CompactRange(nullptr, nullptr);
    must(db->Put({}, key_of(i), "value"));
  }
}

// The tables of each level, by the text that LevelDB describes them with: "--- level 2
// ---" and a line " 5:1234['first' @ 1 : 1 .. 'last' @ 2 : 1]" for each table.
std::map<int, std::vector<std::string>> tables_by_level(const fs::path& folder) {
  leveldb::DB* opened = nullptr;
  must(leveldb::DB::Open({}, folder.string(), &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  std::string text, line;
  if (!db->GetProperty("leveldb.sstables", &text)) throw std::runtime_error("no tables");
  std::istringstream lines(text);
  std::map<int, std::vector<std::string>> found;
  int level = 0;
  for (unsigned long long number = 0; std::getline(lines, line);) {
    if (std::sscanf(line.c_str(), "--- level %d", &level) == 1) continue;
    if (std::sscanf(line.c_str(), " %llu:", &number) != 1) continue;
    char name[32];
    std::snprintf(name, sizeof name, "%06llu.ldb", number);
    found[level].push_back((folder / name).string());
  }
  return found;
}

// The keys of a table, without the eight bytes that LevelDB appends to each.
template <class Visit>
void for_each_key(const std::string& path, Visit visit) {
  leveldb::Env* const env = leveldb::Env::Default();
  std::uint64_t size = 0;
  must(env->GetFileSize(path, &size));
  leveldb::RandomAccessFile* file = nullptr;
  must(env->NewRandomAccessFile(path, &file));
  const std::unique_ptr<leveldb::RandomAccessFile> owned(file);
  leveldb::Table* opened = nullptr;
  must(leveldb::Table::Open({}, file, size, &opened));
  const std::unique_ptr<leveldb::Table> table(opened);
  const std::unique_ptr<leveldb::Iterator> at(table->NewIterator({}));
  for (at->SeekToFirst(); at->Valid(); at->Next())
    visit(std::string_view(at->key().data(), at->key().size() - 8));
  must(at->status());
}

int run(const fs::path& folder) {
  fs::remove_all(folder);
  write_database(folder);
  const auto levels = tables_by_level(folder);

  // 10 bits per key on average, where they save most reads: an absent Get asks each
  // level.
  std::vector<bloomery_leveldb::table_filter_builder> builders(levels.size());
  std::vector<bloomery::model::rate_curve> curves;
  std::vector<double> keys;
  double all = 0, wasted_at_equal_bits = 0;
  for (const auto& [level, tables] : levels) {
    auto& builder = builders[keys.size()];
    keys.push_back(0);
    for (const std::string& table : tables)
      for_each_key(table, [&](std::string_view key) {
        must(builder.add(key));
        ++keys.back();
      });
    curves.push_back(bloomery::rate_curve_of(*bloomery::find_kind(ribbon::kind.number),
                                             static_cast<std::uint64_t>(keys.back())));
  }
  std::vector<bloomery::model::budget_filter> filters;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    filters.push_back({keys[i], 1, &curves[i]});
    all += keys[i];
    wasted_at_equal_bits += curves[i].at(10);
  }
  std::vector<double> bits(keys.size());
  const auto plan = must(bloomery::model::budget(filters, 10 * all, bits));

  // A file for each level, mapped.
  std::vector<level_view> views;
  for (const auto& [level, tables] : levels) {
    const std::size_t i = views.size();
    const std::string path =
        (folder / ("level" + std::to_string(level) + ".bloom")).string();
    must(builders[i].save<ribbon>(path.c_str(), {.bits_per_key = bits[i]}));
    views.push_back(must(level_view::open(path)));
    std::printf("level %d: %6.0f keys, %5.2f bits per key, rate %.4f %%\n", level,
                keys[i], bits[i], 100 * views[i].filter().realised_fpr());
  }

  // filter() has checked every byte.  The set hashes a key once for all levels.
  std::vector<const ribbon*> pointers;
  for (const level_view& v : views) pointers.push_back(&v.filter());
  const auto set = must(bloomery::filter_set<ribbon>::make(pointers));
  std::vector<std::uint64_t> match(set.words());
  int found = 0, wasted = 0;
  for (int i = 0; i < all_keys; ++i) {
    set.may_contain(key_of(i), match);
    found += match[0] != 0;
  }
  for (int i = 0; i < 20'000; ++i) {
    set.may_contain("absent" + std::to_string(i), match);
    wasted += __builtin_popcountll(match[0]);
  }
  std::printf("present keys: %d of %d found\n", found, all_keys);
  std::printf(
      "absent keys: %.3f wasted reads per 100 Gets, %.3f expected; equal bits: %.3f\n",
      100 * wasted / 20'000.0, 100 * plan.wasted_reads, 100 * wasted_at_equal_bits);
  return found == all_keys && wasted < 20'000 * 0.02 ? 0 : 1;
}

}  // namespace

int main() {
  const auto folder = fs::temp_directory_path() / "bloomery_leveldb_levels";
  try {
    const int code = run(folder);
    fs::remove_all(folder);
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
