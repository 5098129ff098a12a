// A writer that replaces the file it has read, and no other: write_notes::replaces.
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/portable_bloom.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <gtest/gtest.h>

#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class ExpectedFile : public ::testing::Test {
 protected:
  ExpectedFile() {
    must(save_container(must(block_bloom::build(keys(1, 100))), path_.c_str()));
  }

  // What `meanwhile` does to the file comes between reading and writing it.
  result<void> save_after(const std::function<void()>& meanwhile) {
    const input_file read = must(input_file::open(path_.c_str()));
    meanwhile();
    return save_container(fresh_, path_.c_str(), {.replaces = &read});
  }
  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void expect_refused(const std::function<void()>& meanwhile) {
    const auto saved = save_after(meanwhile);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, errc::io);
    EXPECT_EQ(saved.error().asked, ESTALE);
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }

  const temp_dir folder_;
  const std::string path_ = folder_ / "f.bloom", other_ = folder_ / "other";
  const block_bloom fresh_ = must(block_bloom::build(keys(2, 200)));
};

TEST_F(ExpectedFile, IsReplacedIfItIsStillThere) {
  must(save_after([] {}));
  EXPECT_EQ(must(block_bloom::load(path_.c_str())), fresh_);
  // Another mode or a second name is no other file.
  must(save_after([&] { ::chmod(path_.c_str(), 0600); }));
  must(save_after([&] { ASSERT_EQ(::link(path_.c_str(), other_.c_str()), 0); }));
}

TEST_F(ExpectedFile, IsLeftAloneIfAnotherHasTakenItsPlace) {
  std::ofstream(other_) << "another";
  expect_refused([&] { ASSERT_EQ(std::rename(other_.c_str(), path_.c_str()), 0); });
  EXPECT_EQ(bytes(), "another");
}

TEST_F(ExpectedFile, IsLeftAloneIfSomebodyWroteToIt) {
  expect_refused([&] { std::ofstream(path_, std::ios::app) << "more"; });
  EXPECT_TRUE(bytes().ends_with("more"));
}

TEST_F(ExpectedFile, BareBytesAreLeftAloneToo) {
  auto bare = must(portable_bloom::make({.keys = 10}));
  bare.insert("a");
  foreign_params params;
  params.keys = 10;
  params.fpr = 0.01;
  const auto foreign = must(foreign_filter::make("bits-and-blooms", params));
  const input_file read = must(input_file::open(path_.c_str()));
  std::ofstream(other_) << "another";
  ASSERT_EQ(std::rename(other_.c_str(), path_.c_str()), 0);
  for (const auto& saved : {bare.save(path_, &read), foreign.save(path_, &read)}) {
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().asked, ESTALE);
  }
  EXPECT_EQ(bytes(), "another");
  const input_file now = must(input_file::open(path_.c_str()));
  must(bare.save(path_, &now));
  EXPECT_TRUE(must(portable_bloom::load(path_)).may_contain("a"));
}

TEST_F(ExpectedFile, IsNotMadeAnewIfItWasMovedAway) {
  expect_refused([&] { ASSERT_EQ(std::rename(path_.c_str(), other_.c_str()), 0); });
  EXPECT_NE(::access(path_.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace bloomery::testing
