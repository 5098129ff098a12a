#include "store.hpp"

#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace demo {
namespace {

namespace fs = std::filesystem;

void must(const rocksdb::Status& s) {
  if (s.ok()) return;
  std::fprintf(stderr, "RocksDB: %s\n", s.ToString().c_str());
  std::exit(1);
}

}  // namespace

std::string key_of(std::uint64_t i) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(i * 0x9e3779b97f4a7c15));
  return {text, 16};
}

std::vector<std::string> some_keys(std::uint64_t keys, std::uint64_t count,
                                   bool present) {
  std::mt19937_64 random(42);
  std::vector<std::string> some;
  for (std::uint64_t i = 0; i < count; ++i)
    some.push_back(key_of(present ? 2 * (random() % keys) : random() | 1));
  return some;
}

store::store(fs::path folder, policy_ptr policy)
    : folder_(std::move(folder)), cache_(rocksdb::NewLRUCache(std::size_t{1} << 30)) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = std::move(policy);
  table.block_cache = cache_;
  table.cache_index_and_filter_blocks = true;
  options_.create_if_missing = true;
  options_.compression = rocksdb::kNoCompression;
  options_.disable_auto_compactions = true;
  options_.level_compaction_dynamic_level_bytes = false;
  options_.write_buffer_size = std::size_t{1} << 30;
  options_.statistics = rocksdb::CreateDBStatistics();
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  fs::create_directories(folder_);
  rocksdb::DB* db = nullptr;
  must(rocksdb::DB::Open(options_, (folder_ / "db").string(), &db));
  db_.reset(db);
}

store::~store() {
  if (!db_) return;
  db_.reset();
  fs::remove_all(folder_);
}

void store::ingest(std::uint64_t keys, std::uint64_t tables) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < keys; ++i) all.push_back(key_of(2 * i));
  std::ranges::sort(all);
  const std::string value(100, 'v');
  std::vector<std::string> files;
  for (std::uint64_t t = 0; t < tables; ++t) {
    files.push_back((folder_ / ("table" + std::to_string(t))).string());
    rocksdb::SstFileWriter table{rocksdb::EnvOptions(), options_};
    must(table.Open(files.back()));
    for (auto i = keys * t / tables; i < keys * (t + 1) / tables; ++i)
      must(table.Put(all[i], value));
    must(table.Finish());
  }
  rocksdb::IngestExternalFileOptions o;
  o.move_files = true;
  must(db_->IngestExternalFile(files, o));
}

void store::put_into_level(std::span<const std::string> keys, int level) {
  rocksdb::WriteOptions o;
  o.disableWAL = true;
  const std::string value(100, 'v');
  for (const std::string& k : keys) must(db_->Put(o, k, value));
  must(db_->Flush({}));
  std::vector<rocksdb::LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const auto& f : files)
    if (f.level == 0) names.push_back(f.name);
  must(db_->CompactFiles({}, names, level));
}

void store::count(bool on) {
  options_.statistics->set_stats_level(on ? rocksdb::kExceptDetailedTimers
                                          : rocksdb::kDisableAll);
}
std::uint64_t store::ticker(rocksdb::Tickers t) const {
  return options_.statistics->getTickerCount(t);
}

std::uint64_t store::filter_bytes() {
  rocksdb::TablePropertiesCollection tables;
  must(db_->GetPropertiesOfAllTables(&tables));
  std::uint64_t bytes = 0;
  for (const auto& [name, properties] : tables) bytes += properties->filter_size;
  return bytes;
}

}  // namespace demo
