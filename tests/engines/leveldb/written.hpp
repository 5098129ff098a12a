// What engine_leveldb_writer writes, and kill_test looks for.
#pragma once

#include <leveldb/options.h>

#include <cstdint>
#include <string>

namespace bloomery_leveldb::testing {

// Tables are written all the time: a process is often killed while one is.
inline leveldb::Options written_options(const leveldb::FilterPolicy* p) {
  leveldb::Options o;
  o.create_if_missing = true;
  o.filter_policy = p;
  o.write_buffer_size = 64 << 10;
  o.max_file_size = 1 << 20;
  return o;
}

// In no order, so that compactions have work.
inline std::string written_key(std::uint64_t i) {
  return std::to_string(i * 0x9e3779b97f4a7c15) + "-" + std::to_string(i);
}
inline std::string written_value(std::uint64_t i) {
  return std::string(200 + i % 100, static_cast<char>('a' + i % 26));
}

}  // namespace bloomery_leveldb::testing
