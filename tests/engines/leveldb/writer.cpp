// Writes keys until it is killed:  engine_leveldb_writer FOLDER FIRST
// Every tenth write waits for the disk; its number then goes to standard output, as eight
// bytes: all keys up to it must be found from then on.
#include <leveldb/db.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "bloomery_leveldb/filter_policy.hpp"
#include "written.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto policy = bloomery_leveldb::new_filter_policy();
  leveldb::Options o = bloomery_leveldb::testing::written_options(policy.get());
  leveldb::DB* opened = nullptr;
  if (!leveldb::DB::Open(o, argv[1], &opened).ok()) return 1;
  const std::unique_ptr<leveldb::DB> db(opened);
  for (std::uint64_t i = std::strtoull(argv[2], nullptr, 10);; ++i) {
    leveldb::WriteOptions w;
    w.sync = i % 10 == 9;
    if (!db->Put(w, bloomery_leveldb::testing::written_key(i),
                 bloomery_leveldb::testing::written_value(i))
             .ok())
      return 1;
    if (w.sync && write(STDOUT_FILENO, &i, sizeof i) != sizeof i) return 1;
  }
}
