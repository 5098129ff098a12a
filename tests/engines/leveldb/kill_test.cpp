// A process is killed while it writes; every key that it had written and synced is found.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "cases.hpp"
#include "databases.hpp"
#include "full.hpp"
#include "policies.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"
#include "written.hpp"

namespace bloomery_leveldb::testing {
namespace {

// The last key that the writer reported, or `none`.  It is killed after so many reports
// and so many microseconds.
std::uint64_t write_until_killed(const std::string& folder, std::uint64_t first,
                                 std::uint64_t reports, unsigned microseconds) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const std::string from = std::to_string(first);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl(BLOOMERY_LEVELDB_WRITER, "writer", folder.c_str(), from.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::uint64_t last = first, key = 0;
  const auto report = [&] { return read(ends[0], &key, sizeof key) == sizeof key; };
  while (reports-- > 0 && report()) last = key + 1;
  usleep(microseconds);
  kill(child, SIGKILL);
  while (report()) last = key + 1;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  return last;
}

TEST(LevelDbKill, EverySyncedKeyIsFound) {
  const bloomery::testing::temp_dir dir;
  const int kills = bloomery::testing::full_run() ? 500 : 50;
  bloomery::testing::random from(31);
  std::uint64_t synced = 0, lookups = 0;
  for (int i = 0; i < kills; ++i) {
    // What came after the last sync is written again.
    synced = write_until_killed(dir / "db", synced, 1 + from.below(60),
                                static_cast<unsigned>(from.below(3000)));
    const counted filters(ours());
    const auto db = open(written_options(&filters), dir / "db");
    std::string value;
    for (std::uint64_t k = 0; k < synced; ++k, ++lookups) {
      const auto s = db->Get({}, written_key(k), &value);
      ASSERT_TRUE(s.ok() && value == written_value(k)) << i << " " << k << s.ToString();
    }
    EXPECT_TRUE(i < 5 || filters.refused > 0);
  }
  bloomery::testing::count_cases("kills", static_cast<std::uint64_t>(kills));
  bloomery::testing::count_cases("lookups", lookups);
}

}  // namespace
}  // namespace bloomery_leveldb::testing
