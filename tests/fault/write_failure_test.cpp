// Each system call that saving makes fails once, or does less than it was asked: the
// error is told and the old file stays, or the new one is whole; nothing is left behind.
#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/build.hpp>
#include <bloomery/portable_bloom.hpp>

#include "cases.hpp"
#include "container_samples.hpp"

namespace {

// What becomes of the n-th call; those of the test itself run while nothing is planned.
struct plan {
  std::uint64_t fail_at = 0;  // from 1; 0: none
  int number = 0;             // errno; 0: the call does half of what it was asked
  std::uint64_t calls = 0;
} planned;

// Whether this call is the one.
bool meant() noexcept {
  return planned.fail_at != 0 && ++planned.calls == planned.fail_at;
}
// A name is given at once or not at all: no half, no interruption.
bool name_refused() noexcept {
  return meant() && planned.number != 0 && planned.number != EINTR;
}
int refused() noexcept {
  errno = planned.number;
  return -1;
}

}  // namespace

// The linker sends the library's calls here.
extern "C" {
ssize_t __real_write(int fd, const void* from, std::size_t size);
ssize_t __real_pwrite(int fd, const void* from, std::size_t size, off_t at);
int __real_fsync(int fd);
int __real_rename(const char* from, const char* to);
int __real_linkat(int, const char*, int, const char*, int);

ssize_t __wrap_write(int fd, const void* from, std::size_t size) {
  if (!meant()) return __real_write(fd, from, size);
  if (planned.number != 0) return refused();
  return __real_write(fd, from, (size + 1) / 2);
}
ssize_t __wrap_pwrite(int fd, const void* from, std::size_t size, off_t at) {
  if (!meant()) return __real_pwrite(fd, from, size, at);
  if (planned.number != 0) return refused();
  return __real_pwrite(fd, from, (size + 1) / 2, at);
}
int __wrap_fsync(int fd) {
  return meant() && planned.number != 0 ? refused() : __real_fsync(fd);
}
int __wrap_rename(const char* from, const char* to) {
  return name_refused() ? refused() : __real_rename(from, to);
}
int __wrap_linkat(int a, const char* from, int b, const char* to, int flags) {
  return name_refused() ? refused() : __real_linkat(a, from, b, to, flags);
}
}

namespace bloomery::testing {
namespace {

class WriteFailure : public ::testing::Test {
 protected:
  using writer = std::function<result<void>(const char* path)>;

  // Every writer of files there is.
  std::vector<std::pair<std::string, writer>> writers() {
    return {{"container", [&](const char* path) { return save_container(block_, path); }},
            {"portable", [&](const char* path) { return portable_.save(path); }},
            {"foreign", [&](const char* path) { return foreign_.save(path); }},
            {"wrapped", [&](const char* path) { return save_wrapped(foreign_, path); }},
            {"packed", [&](const char* path) -> result<void> {
               auto out = packed_writer::create(path);
               if (!out) return out.error();
               for (int i = 0; i < 3; ++i)
                 if (auto ok = out->add(block_); !ok) return ok;
               return out->finish();
             }}};
  }

  // Runs it with its n-th call failing; then without.
  result<void> run(const writer& write, std::uint64_t n, int number) {
    planned = {n, number, 0};
    auto done = write(path_.c_str());
    seen_ = planned.calls;
    planned = {};
    return done;
  }

  bool is(std::string_view expected) const { return text_of(path_) == expected; }

  const temp_dir folder_;
  const std::string path_ = folder_ / "file";
  const block_bloom block_ = must(block_bloom::build(keys(1, 2'000'000)));
  const portable_bloom portable_ = must(portable_bloom::make({.keys = 10'000}));
  const foreign_filter foreign_ = [] {
    foreign_params p;
    p.keys = 10'000;
    return must(foreign_filter::make("guava", p));
  }();
  std::uint64_t seen_ = 0;
};

TEST_F(WriteFailure, LeavesTheOldFileOrTheNewOneWhole) {
  std::size_t failures = 0;
  for (const auto& [name, write] : writers()) {
    SCOPED_TRACE(name);
    must(write(path_.c_str()));
    const std::string whole = text_of(path_);
    for (const int number : {ENOSPC, EIO, EDQUOT})
      for (std::uint64_t n = 1;; ++n) {
        SCOPED_TRACE(n);
        std::ofstream(path_) << "old";
        const auto done = run(write, n, number);
        if (seen_ < n) {
          EXPECT_TRUE(done);
          EXPECT_TRUE(is(whole));
          EXPECT_GE(n, 5u) << "fewer calls than a save needs";
          break;
        }
        ++failures;
        count_cases(number == EIO ? "io_errors" : "full_disks", 1);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, errc::io);
        EXPECT_EQ(done.error().asked, number) << done.error().what;
        EXPECT_EQ(folder_.files(), 1u) << "something is left behind";
        // In place, unless only the directory could not be flushed; then that is told.
        const bool in_place = std::string_view(done.error().what).starts_with("in place");
        EXPECT_TRUE(is(in_place ? std::string_view(whole) : "old")) << done.error().what;
      }
  }
  std::printf("%zu calls failed\n", failures);
}

TEST_F(WriteFailure, LeavesNothingWhereNothingWas) {
  for (const auto& [name, write] : writers()) {
    SCOPED_TRACE(name);
    for (std::uint64_t n = 1;; ++n) {
      std::filesystem::remove(path_);
      const auto done = run(write, n, ENOSPC);
      if (seen_ < n) break;
      count_cases("full_disks", 1);
      ASSERT_FALSE(done);
      const bool in_place = std::string_view(done.error().what).starts_with("in place");
      EXPECT_EQ(folder_.files(), in_place ? 1u : 0u) << n;
    }
  }
}

// Keys that are sorted on disk: the error, or the same filter; nothing is left behind,
// and the builder can be used again.
TEST_F(WriteFailure, OfTemporaryFiles) {
  const auto ks = keys(3, 150'000);
  const std::uint64_t limit = 1 << 20;
  const auto spooled = [&](filter_builder& b) -> result<built_filter> {
    if (auto ok = b.add(ks); !ok) return ok.error();
    return b.finish(block_bloom::kind.number, {}, block_bloom::kind.hasher());
  };
  filter_builder memory;
  const auto expected = must(spooled(memory));
  auto disk =
      must(filter_builder::make({.memory_limit = limit, .directory = folder_.path()}));
  for (const int number : {ENOSPC, EDQUOT, EIO, EINTR, 0})
    for (std::uint64_t n = 1;; ++n) {
      SCOPED_TRACE(n);
      planned = {n, number, 0};
      const auto built = spooled(disk);
      const std::uint64_t calls = planned.calls;
      planned = {};
      EXPECT_EQ(folder_.files(), 0u);
      const bool fails = calls >= n && number != EINTR && number != 0;
      ASSERT_EQ(built.has_value(), !fails);
      if (built) {
        EXPECT_TRUE(built->filter == expected.filter);
      } else {
        EXPECT_EQ(built.error().code, errc::io);
        EXPECT_EQ(built.error().asked, number);
        (void)disk.finish(block_bloom::kind.number, {}, block_bloom::kind.hasher());
      }
      count_cases(number == EIO ? "io_errors" : "full_disks", fails);
      if (calls < n) {
        EXPECT_GE(n, 6u) << "fewer calls than the runs need";
        break;
      }
    }
}

TEST_F(WriteFailure, ShortAndInterruptedCallsAreContinued) {
  std::size_t tried = 0;
  for (const auto& [name, write] : writers()) {
    SCOPED_TRACE(name);
    must(write(path_.c_str()));
    const std::string whole = text_of(path_);
    for (const int number : {0, EINTR})
      for (std::uint64_t n = 1;; ++n, ++tried) {
        SCOPED_TRACE(n);
        std::ofstream(path_) << "old";
        const auto done = run(write, n, number);
        EXPECT_TRUE(done) << done.error().what;
        EXPECT_TRUE(is(whole));
        EXPECT_EQ(folder_.files(), 1u);
        if (seen_ < n) break;
      }
  }
  std::printf("%zu calls cut short or interrupted\n", tried);
  count_cases("calls", tried);
}

}  // namespace
}  // namespace bloomery::testing
