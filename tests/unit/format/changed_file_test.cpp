// Files that are written to under a view: seen, and told from what is harmless.
#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/packed_set.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "fixtures.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

namespace fs = std::filesystem;

class ChangedFile : public ::testing::Test {
 protected:
  const temp_dir folder_;
  const std::string path_ = folder_ / "f.bloom";
  const std::string other_ = folder_ / "other.bloom";
  const std::vector<key> keys_ = keys(1, 20'000);

  // Two filters of one size with the same keys, and more.  Two writes within one tick of
  // the clock look alike: both are old.
  void save_both() {
    for (const std::string& path : {path_, other_}) {
      auto f = recipe<block_bloom>::of(keys_, 0.01);
      if (path == other_) f.insert(std::span<const key>(keys(2, 20'000)));
      must(save_container(f, path.c_str()));
      make_old(path);
    }
  }
  static void make_old(const std::string& path) {
    fs::last_write_time(path, fs::file_time_type{} - std::chrono::hours(300'000));
  }
  // As cp does it.
  void overwrite() {
    const auto bytes = bytes_of(other_);
    const int fd = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    EXPECT_EQ(::write(fd, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    ::close(fd);
  }
  // As one who hides it: a chunk of zeros, the table of checksums and the time as before.
  void zero_chunk(std::uint64_t chunk) {
    const auto bytes = bytes_of(path_);
    const auto facts = must(inspect(bytes, bytes.size()));
    ASSERT_LT(chunk, facts.chunks());
    await_tick();
    const std::vector<char> zeros(4096);
    const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(::pwrite(fd, zeros.data(), zeros.size(),
                       static_cast<off_t>(facts.payload_at + 4096 * chunk)),
              4096);
    ::close(fd);
    make_old(path_);
  }
  // Until the file system's clock tells what comes next from what was.
  void await_tick() const {
    const std::string probe = folder_ / "probe";
    struct stat then, now;
    ASSERT_EQ(::stat(path_.c_str(), &then), 0);
    do {
      fs::remove(probe);
      ::close(::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
      ASSERT_EQ(::stat(probe.c_str(), &now), 0);
    } while (std::pair(now.st_ctim.tv_sec, now.st_ctim.tv_nsec) <=
             std::pair(then.st_ctim.tv_sec, then.st_ctim.tv_nsec));
  }
  auto open() { return must(filter_view<block_bloom>::open(path_.c_str())); }
};

TEST_F(ChangedFile, OverwrittenInPlaceIsSeen) {
  save_both();
  const auto v = open();
  EXPECT_TRUE(v.unchanged());
  EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  EXPECT_TRUE(v.unchanged());
  overwrite();
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, AnOldTimeDoesNotHideIt) {
  save_both();
  const auto v = open();
  overwrite();
  make_old(path_);
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, AnOldTableDoesNotHideItEither) {
  save_both();
  const auto v = open();
  EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  zero_chunk(3);
  EXPECT_LT(count_maybe(ask(v, keys_)), keys_.size());  // checked, not checked again
  EXPECT_FALSE(v.unchanged());
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, AWriteAfterARenameIsSeen) {
  save_both();
  const auto v = open();
  v.verify_all();
  await_tick();
  fs::create_hard_link(path_, folder_ / "link.bloom");
  await_tick();
  EXPECT_TRUE(v.unchanged());
  EXPECT_TRUE(v.unchanged());
  zero_chunk(0);
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, WhatWasNotCheckedYetIsDamagedAndDeniesNothing) {
  save_both();
  const auto v = open();
  zero_chunk(3);
  EXPECT_TRUE(v.unchanged());
  EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  EXPECT_EQ(v.damaged_chunks(), 1u);
  EXPECT_TRUE(v.unchanged());
}

TEST_F(ChangedFile, ADamagedChunkIsNoChange) {
  save_both();
  zero_chunk(3);
  const auto v = open();
  EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  EXPECT_EQ(v.verify_all(), 1u);
  await_tick();
  ::chmod(path_.c_str(), 0600);
  EXPECT_TRUE(v.unchanged());  // the chunk is ones in memory, and zeros in the file
  zero_chunk(2);
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, LookupsGoOnWhileChunksAreCheckedAgain) {
  save_both();
  zero_chunk(3);
  for (int round = 0; round < 5; ++round) {
    const auto v = open();
    await_tick();
    ::chmod(path_.c_str(), round % 2 == 0 ? 0600 : 0644);
    std::thread other([&] { EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size()); });
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(v.unchanged());
    other.join();
    EXPECT_EQ(v.verify_all(), 1u);
  }
}

TEST_F(ChangedFile, CutShortIsSeen) {
  save_both();
  const auto v = open();
  fs::resize_file(path_, 5000);
  make_old(path_);
  EXPECT_FALSE(v.unchanged());
}

TEST_F(ChangedFile, WhatLeavesTheBytesAloneIsNone) {
  const std::function<void()> harmless[] = {
      [&] { fs::rename(other_, path_); },  // replaced
      [&] { fs::remove(path_); },
      [&] { fs::rename(path_, folder_ / "old.bloom"); },
      [&] { fs::create_hard_link(path_, folder_ / "link.bloom"); },
      [&] { ::chmod(path_.c_str(), 0600); },
      [&] { (void)bytes_of(path_); },
      [&] { must(save_container(must(block_bloom::build(keys_)), path_.c_str())); },
  };
  for (const auto& change : harmless) {
    save_both();
    const auto v = open();
    change();
    EXPECT_TRUE(v.unchanged());
    EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  }
}

TEST_F(ChangedFile, ACopyIsNobodyElses) {
  save_both();
  const auto v =
      must(filter_view<block_bloom>::open(path_.c_str(), {.copy_up_to = 1u << 20}));
  const auto small =
      must(filter_view<block_bloom>::open(path_.c_str(), {.copy_up_to = 1000}));
  overwrite();
  EXPECT_FALSE(small.unchanged());  // larger than that: mapped
  EXPECT_TRUE(v.unchanged());
  EXPECT_TRUE(v.filter() == recipe<block_bloom>::of(keys_, 0.01));
  EXPECT_EQ(v.damaged_chunks(), 0u);
}

TEST_F(ChangedFile, ACopyOfADamagedFileAnswersPerhaps) {
  save_both();
  auto bytes = bytes_of(path_);
  const auto facts = must(inspect(bytes, bytes.size()));
  {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(::pwrite(fd, "damage", 6, static_cast<off_t>(facts.payload_at + 4100)), 6);
    ::close(fd);
  }
  const auto v =
      must(filter_view<block_bloom>::open(path_.c_str(), {.copy_up_to = 1u << 20}));
  EXPECT_EQ(count_maybe(ask(v, keys_)), keys_.size());
  EXPECT_EQ(v.verify_all(2), 1u);
}

TEST_F(ChangedFile, AFileThatChangedBeforeItWasCopiedIsRefused) {
  save_both();
  const auto file = must(input_file::open(path_.c_str()));
  overwrite();
  const auto v = filter_view<block_bloom>::open(file, {.copy_up_to = 1u << 20});
  ASSERT_FALSE(v);
  EXPECT_EQ(v.error().code, errc::corrupt);
  EXPECT_FALSE(file.unchanged());
}

TEST_F(ChangedFile, AnOpenFileTells) {
  save_both();
  const auto file = must(input_file::open(path_.c_str()));
  EXPECT_TRUE(file.unchanged());
  await_tick();
  save_both();  // replaced, which its status does not tell from written to
  EXPECT_FALSE(file.unchanged());
  const auto again = must(input_file::open(path_.c_str()));
  overwrite();
  make_old(path_);
  EXPECT_FALSE(again.unchanged());
}

TEST_F(ChangedFile, ALinkExplainsNothing) {
  save_both();
  const auto file = must(input_file::open(path_.c_str()));
  zero_chunk(3);
  fs::create_hard_link(path_, folder_ / "link.bloom");
  EXPECT_FALSE(file.unchanged());
}

TEST_F(ChangedFile, OfAPackedSetUnderItsOldTable) {
  auto out = must(packed_writer::create(path_.c_str()));
  for (int i = 0; i < 50; ++i) must(out.add(recipe<block_bloom>::of(keys_, 0.01)));
  must(out.finish());
  make_old(path_);
  const auto set = must(packed_set::open(path_.c_str()));
  for (const key k : keys_) EXPECT_TRUE(set.may_contain(0, k));
  await_tick();
  ::chmod(path_.c_str(), 0600);
  EXPECT_TRUE(set.unchanged());
  zero_chunk(3);
  EXPECT_FALSE(set.unchanged());
}

TEST_F(ChangedFile, OfAPackedSet) {
  auto out = must(packed_writer::create(path_.c_str()));
  for (int i = 0; i < 50; ++i) must(out.add(recipe<block_bloom>::of(keys_, 0.01)));
  must(out.finish());
  make_old(path_);
  const auto set = must(packed_set::open(path_.c_str()));
  const auto copy = must(packed_set::open(path_.c_str(), {.copy_up_to = 1u << 30}));
  EXPECT_TRUE(set.unchanged());
  fs::resize_file(path_, 100'000);
  EXPECT_FALSE(set.unchanged());
  EXPECT_TRUE(copy.unchanged());
  EXPECT_TRUE(copy.may_contain(49, keys_[0]));
  EXPECT_EQ(copy.verify_all(), 0u);
}

}  // namespace
}  // namespace bloomery::testing
