// Secrets where the system call is missing, interrupted or short: from the device, and
// an error where there is none either; never bytes that were not drawn.
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>

#include <cstdarg>
#include <cstring>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include <bloomery/hasher.hpp>

namespace {

struct {
  int call_errno = 0;           // of getrandom; 0: works
  bool interrupted = false;     // the first call, by EINTR
  std::size_t most = 256;       // bytes at a time
  bool device_missing = false;  // /dev/urandom
  int calls = 0, opened = 0;
} generator;

}  // namespace

extern "C" {
ssize_t __real_getrandom(void* to, std::size_t size, unsigned flags);
int __real_open(const char* path, int flags, ...);

ssize_t __wrap_getrandom(void* to, std::size_t size, unsigned flags) {
  const bool first = generator.calls++ == 0;
  errno = generator.call_errno != 0 ? generator.call_errno : EINTR;
  if (generator.call_errno != 0 || (generator.interrupted && first)) return -1;
  return __real_getrandom(to, size < generator.most ? size : generator.most, flags);
}
int __wrap_open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (std::string_view(path) == "/dev/urandom") {
    ++generator.opened;
    errno = ENOENT;
    if (generator.device_missing) return -1;
  }
  return __real_open(path, flags, mode);
}
}

namespace bloomery {
namespace {

class RandomFailure : public ::testing::Test {
 protected:
  RandomFailure() { generator = {}; }
  ~RandomFailure() override { generator = {}; }

  // No byte is left as it was: one that is 0 in all of 100 secrets was not drawn.
  static void expect_whole_secrets() {
    hasher::secret seen{};
    for (int i = 0; i < 100; ++i) {
      const auto s = hasher::random_secret();
      ASSERT_TRUE(s) << s.error().what;
      for (std::size_t b = 0; b < s->size(); ++b) seen[b] |= (*s)[b];
    }
    for (const std::byte b : seen) EXPECT_NE(b, std::byte{0});
  }
};

TEST_F(RandomFailure, AShortOrInterruptedCallIsRepeated) {
  generator.interrupted = true;
  generator.most = 3;
  expect_whole_secrets();
  EXPECT_EQ(generator.calls, 1 + 100 * 6);
  EXPECT_EQ(generator.opened, 0);
}

TEST_F(RandomFailure, TheDeviceServesWhereTheCallDoesNot) {
  for (const int reason : {ENOSYS, EPERM}) {
    generator = {};
    generator.call_errno = reason;
    expect_whole_secrets();
    EXPECT_EQ(generator.opened, 100);
  }
}

TEST_F(RandomFailure, WithoutEitherThereIsNoSecret) {
  generator.call_errno = ENOSYS;
  generator.device_missing = true;
  const auto s = hasher::random_secret();
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, errc::io);
  EXPECT_EQ(s.error().asked, ENOENT);
}

}  // namespace
}  // namespace bloomery
