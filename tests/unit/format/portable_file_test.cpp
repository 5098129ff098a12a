// Saving is atomic and loading believes nothing: what the disk may do to us.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include <bloomery/portable_bloom.hpp>

#include "all_filters.hpp"
#include "fixtures.hpp"
#include "process_memory.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using testing::must;

portable_bloom filter_of(std::size_t n) {
  return testing::recipe<portable_bloom>::of(testing::keys(n, n), 0.01);
}

void expect_io(const result<void>& r, int number) {
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, errc::io) << r.error().what;
  EXPECT_EQ(r.error().asked, number) << r.error().what;
}

class PortableFile : public ::testing::Test {
 protected:
  testing::temp_dir dir_;
  std::string path_ = dir_ / "f.bloom";
};

TEST_F(PortableFile, LoadsWhatWasSaved) {
  for (const std::size_t n : {1u, 1000u, 3'000'000u}) {
    const auto f = filter_of(n);
    must(f.save(path_.c_str()));
    EXPECT_TRUE(must(portable_bloom::load(path_.c_str())) == f);
    EXPECT_EQ(testing::bytes_of(path_), testing::encoded(f));
    EXPECT_EQ(dir_.files(), 1u);
  }
}

TEST_F(PortableFile, SavesUnderARelativeNameToo) {
  const fs::path before = fs::current_path();
  fs::current_path(dir_.path());
  const auto saved = filter_of(10).save("bare.bloom");
  fs::current_path(before);
  EXPECT_TRUE(saved);
  EXPECT_TRUE(must(portable_bloom::load((dir_ / "bare.bloom").c_str())) == filter_of(10));
}

// A limit on file size stands in for a full disk.
TEST_F(PortableFile, AFailedSaveLeavesTheOldFileAndNoOther) {
  must(filter_of(10).save(path_.c_str()));
  const auto old = testing::bytes_of(path_);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto replaced = filter_of(100'000).save(path_.c_str());
  const auto created = filter_of(100'000).save((dir_ / "new.bloom").c_str());
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  expect_io(replaced, EFBIG);
  expect_io(created, EFBIG);
  EXPECT_EQ(testing::bytes_of(path_), old);
  EXPECT_EQ(dir_.files(), 1u);
}

TEST_F(PortableFile, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  expect_io(filter_of(1000).save("/dev/full"), ENOSPC);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));  // not replaced
}

TEST_F(PortableFile, ALinkIsFollowedNotReplaced) {
  fs::create_directory(dir_ / "elsewhere");
  const std::string target = dir_ / "elsewhere/real.bloom";
  must(filter_of(10).save(target.c_str()));
  fs::create_symlink(target, path_);
  must(filter_of(20).save(path_.c_str()));
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_TRUE(must(portable_bloom::load(target.c_str())) == filter_of(20));
  EXPECT_TRUE(must(portable_bloom::load(path_.c_str())) == filter_of(20));
  EXPECT_EQ(dir_.files(), 2u);
}

TEST_F(PortableFile, ReplacingKeepsThePermissions) {
  must(filter_of(10).save(path_.c_str()));
  fs::permissions(path_, fs::perms{0640});
  must(filter_of(20).save(path_.c_str()));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms{0640});
}

TEST_F(PortableFile, ADirectoryIsRefused) {
  const auto f = portable_bloom::load(dir_.path().c_str());
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::invalid_argument);
  expect_io(filter_of(10).save(dir_.path().c_str()), EISDIR);
  EXPECT_EQ(dir_.files(), 0u);
}

TEST_F(PortableFile, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const auto f = portable_bloom::load(path_.c_str());
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::invalid_argument);
}

TEST_F(PortableFile, AMissingFileOrDirectoryIsAnError) {
  const auto f = portable_bloom::load(path_.c_str());
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::io);
  EXPECT_EQ(f.error().asked, ENOENT);
  expect_io(filter_of(10).save((dir_ / "no/such/dir/f").c_str()), ENOENT);
  expect_io(filter_of(10).save((dir_ / std::string(5000, 'x')).c_str()), ENAMETOOLONG);
  EXPECT_EQ(dir_.files(), 0u);
}

TEST_F(PortableFile, DamageIsRefusedAsDecodeRefusesIt) {
  const auto whole = testing::encoded(filter_of(20));
  for (std::size_t n = 0; n <= whole.size() + 2; ++n) {
    if (n == whole.size()) continue;
    auto part = whole;
    part.resize(n);
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(part.data()), std::streamsize(n));
    const auto loaded = portable_bloom::load(path_.c_str());
    const auto decoded = portable_bloom::decode(part);
    ASSERT_FALSE(loaded) << n;
    EXPECT_EQ(loaded.error().code, errc::corrupt);
    EXPECT_EQ(loaded.error().at, decoded.error().at) << n;
    EXPECT_STREQ(loaded.error().what, decoded.error().what) << n;
  }
}

// A sparse file of 1 GiB, and a limit that leaves less address space than that.
TEST_F(PortableFile, AFileLargerThanMemoryIsAResult) {
  const auto head = portable_header({std::uint64_t{1} << 33, 7});
  std::ofstream(path_, std::ios::binary)
      .write(reinterpret_cast<const char*>(head.data()), std::streamsize(head.size()));
  fs::resize_file(path_, 12 + (std::uintmax_t{1} << 30));
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  const rlimit tight{1024 * testing::process_kib("VmSize:") + (rlim_t{256} << 20),
                     before.rlim_max};
  setrlimit(RLIMIT_AS, &tight);
  const auto f = portable_bloom::load(path_.c_str());
  setrlimit(RLIMIT_AS, &before);
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::out_of_memory);
  EXPECT_EQ(f.error().asked, 0x1p30);
}

// As root everything is permitted: for the call, be somebody else.
class PortableFilePermission : public PortableFile {
 protected:
  void SetUp() override {
    must(filter_of(10).save(path_.c_str()));
    fs::permissions(dir_.path(), fs::perms{0555});
    fs::permissions(path_, fs::perms{0200});
    if (geteuid() == 0) became_ = seteuid(65534) == 0;
  }
  void TearDown() override {
    if (became_ && seteuid(0) != 0) std::abort();  // nothing after this would be right
    fs::permissions(dir_.path(), fs::perms{0755});
  }
  bool became_ = false;
};

TEST_F(PortableFilePermission, IsNeededToReadAndToReplace) {
  if (geteuid() == 0) GTEST_SKIP() << "root, and not allowed to become another user";
  const auto f = portable_bloom::load(path_.c_str());
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::io);
  EXPECT_EQ(f.error().asked, EACCES);
  expect_io(filter_of(20).save(path_.c_str()), EACCES);
  expect_io(filter_of(20).save((dir_ / "new.bloom").c_str()), EACCES);
  EXPECT_EQ(dir_.files(), 1u);
}

// Readers see an old file or a new one, never a mixture; no temporary survives.
TEST_F(PortableFile, ManyWritersAndReadersAtOnce) {
  must(filter_of(100).save(path_.c_str()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 10; ++i) {
        const auto saved = filter_of(100 + 100 * t).save(path_.c_str());
        EXPECT_TRUE(saved) << saved.error().what;
        const auto f = portable_bloom::load(path_.c_str());
        ASSERT_TRUE(f) << f.error().what;
        const bool whole = *f == filter_of(100) || *f == filter_of(200) ||
                           *f == filter_of(300) || *f == filter_of(400);
        EXPECT_TRUE(whole);
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(dir_.files(), 1u);
}

}  // namespace
}  // namespace bloomery
