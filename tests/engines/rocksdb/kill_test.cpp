// A process killed while it writes: every key that was synced before is found.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

#include "cases.hpp"
#include "database.hpp"
#include "full.hpp"
#include "temp_dir.hpp"

extern "C" char** environ;

namespace bloomery::testing {
namespace {

using bloomery_rocksdb::filter_form;

const char* const writer_folder = "BLOOMERY_TEST_WRITER";

database_setup setup() {
  return {.policy = bloomery_rocksdb::new_filter_policy(
              {.levels = {{filter_form::block, 12}, {filter_form::ribbon, 8}}}),
          .memtable = 16 << 10};
}

// What write number i does.
std::string key_at(std::uint64_t i) { return "k" + std::to_string(i * 7919 % 5000); }
bool erases(std::uint64_t i) { return i % 11 == 10; }
void write(rocksdb::DB& db, std::uint64_t i) {
  rocksdb::WriteOptions o;
  o.sync = true;
  must(erases(i) ? db.Delete(o, key_at(i))
                 : db.Put(o, key_at(i), std::to_string(i) + std::string(100, '.')));
}

// The process that is killed: this program again.  Writes on from the number that it is
// given, and reports each write that is synced.
TEST(RocksDBKilled, Writer) {
  const char* const folder = std::getenv(writer_folder);
  if (folder == nullptr) GTEST_SKIP() << "the writer of the other test";
  const char* const first = std::getenv("BLOOMERY_TEST_FIRST");
  database db(folder, setup());
  for (std::uint64_t i = std::strtoull(first, nullptr, 10);; ++i) {
    write(*db, i);
    if (::write(STDOUT_FILENO, &i, sizeof i) != sizeof i) return;
  }
}

class writer {
 public:
  writer(const std::string& folder, std::uint64_t first) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    from_ = ends[0];
    setenv(writer_folder, folder.c_str(), 1);
    setenv("BLOOMERY_TEST_FIRST", std::to_string(first).c_str(), 1);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    char name[] = "rocksdb_kill_test", filter[] = "--gtest_filter=RocksDBKilled.Writer",
         brief[] = "--gtest_brief=1";
    char* arguments[] = {name, filter, brief, nullptr};
    const int failed =
        posix_spawn(&pid_, "/proc/self/exe", &files, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    unsetenv(writer_folder);
    ::close(ends[1]);
    if (failed != 0) throw std::runtime_error("posix_spawn");
  }
  // Until it has reported the write of this number.
  bool wait_for(std::uint64_t number) {
    const std::string expected = bytes_of(number);
    while (reported_.find(expected) == std::string::npos)
      if (!read_some()) return false;
    return true;
  }
  // Ends the process, and returns the number after the last that it reported; `first`, if
  // none.
  std::uint64_t kill_it(std::uint64_t first) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    while (read_some()) {
    }
    ::close(from_);
    // Before the numbers come lines of GoogleTest.
    auto at = reported_.find(bytes_of(first));
    std::uint64_t next = first;
    for (; at != std::string::npos && at + sizeof next <= reported_.size();
         at += sizeof next) {
      std::uint64_t reported;
      std::memcpy(&reported, reported_.data() + at, sizeof reported);
      EXPECT_EQ(reported, next);
      next = reported + 1;
    }
    return next;
  }

 private:
  static std::string bytes_of(std::uint64_t number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
  }
  bool read_some() {
    char some[4096];
    const ssize_t n = read(from_, some, sizeof some);
    if (n > 0) reported_.append(some, static_cast<std::size_t>(n));
    return n > 0;
  }

  pid_t pid_ = -1;
  int from_ = -1;
  std::string reported_;
};

TEST(RocksDBKilled, EverySyncedKeyIsFound) {
  const temp_dir folder;
  const std::string path = folder / "db";
  std::mt19937_64 random(1);
  std::map<std::string, std::uint64_t> written;  // keys, and the write that is there
  std::uint64_t first = 1, next = first, checked = 0;
  const int rounds = full_run() ? 1000 : 50;
  for (int round = 0; round < rounds; ++round) {
    writer process(path, first);
    // Most are killed while they write, some while they open the database.
    const bool writes = round % 5 != 4;
    if (writes) {
      ASSERT_TRUE(process.wait_for(first));
    }
    usleep(static_cast<useconds_t>(random() % 80'000));
    next = process.kill_it(first);
    if (writes) {
      EXPECT_GT(next, first);
    }
    for (; first < next; ++first)
      if (erases(first))
        written.erase(key_at(first));
      else
        written[key_at(first)] = first;
    database db(path, setup());
    // The write after the last one that was reported may be there or not.
    const std::string in_doubt = key_at(next);
    std::string value;
    for (int k = 0; k < 5000; ++k) {
      const std::string key = "k" + std::to_string(k);
      if (key == in_doubt) continue;
      const auto at = written.find(key);
      const auto s = db->Get({}, key, &value);
      if (at == written.end())
        ASSERT_TRUE(s.IsNotFound()) << key << " after " << next;
      else
        ASSERT_TRUE(s.ok() && std::stoull(value) == at->second)
            << key << ": " << s.ToString();
      ++checked;
    }
    // It is written again, so that it is no longer in doubt.
    write(*db, next);
    if (erases(next))
      written.erase(in_doubt);
    else
      written[in_doubt] = next;
    first = next + 1;
  }
  EXPECT_GT(written.size(), 100u);
  count_cases("kills", static_cast<std::uint64_t>(rounds));
  count_cases("synced", first);
  count_cases("gets", checked);
}

}  // namespace
}  // namespace bloomery::testing
