// A file that is replaced keeps its owner, group and mode, whoever writes it and however.
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/snapshot.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr uid_t owner = 1234;
constexpr gid_t group = 2345;

class ReplacedFile : public ::testing::Test {
 protected:
  const temp_dir folder_;
  const std::string path_ = folder_ / "f.bloom";

  struct stat replaced(mode_t mode, const std::function<void(const char*)>& save) {
    std::ofstream(path_) << "old";
    if (::geteuid() == 0) {
      EXPECT_EQ(::chown(path_.c_str(), owner, group), 0);
    }
    EXPECT_EQ(::chmod(path_.c_str(), mode), 0);
    save(path_.c_str());
    struct stat now;
    EXPECT_EQ(::stat(path_.c_str(), &now), 0);
    return now;
  }
};

TEST_F(ReplacedFile, KeepsOwnerGroupAndMode) {
  const block_bloom f = must(block_bloom::build(keys(1, 1000)));
  const std::function<void(const char*)> writers[] = {
      [&](const char* path) { must(save_container(f, path)); },
      [&](const char* path) {
        must(save_snapshot(must(concurrent<block_bloom>::make({.keys = 1000})), path));
      },
      [&](const char* path) {
        auto out = must(packed_writer::create(path));
        must(out.add(f));
        must(out.finish());
      },
      [&](const char* path) {
        must(must(portable_bloom::make({.keys = 100})).save(path));
      },
  };
  for (const auto& save : writers)
    for (const mode_t mode : {0600u, 0640u, 0666u, 0400u, 02755u}) {
      const struct stat now = replaced(mode, save);
      EXPECT_GT(now.st_size, 3);
      EXPECT_EQ(now.st_mode & 07777, mode);
      if (::geteuid() != 0) continue;
      EXPECT_EQ(now.st_uid, owner);
      EXPECT_EQ(now.st_gid, group);
    }
}

TEST_F(ReplacedFile, ANewOneHasTheModeOfTheProcess) {
  const mode_t before = ::umask(027);
  must(save_container(must(block_bloom::build(keys(1, 10))), path_.c_str()));
  ::umask(before);
  struct stat now;
  ASSERT_EQ(::stat(path_.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
}

}  // namespace
}  // namespace bloomery::testing
