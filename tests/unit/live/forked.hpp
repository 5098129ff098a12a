// A child of this process that must end by itself, and well.
#pragma once

#include <cerrno>
#include <csignal>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "full.hpp"

namespace bloomery::testing {

// In a child: what does not hold ends it.
inline void in_child_expect(bool holds, const char* what) {
  if (holds) return;
  const std::string line = std::string("in the child: ") + what + "\n";
  [[maybe_unused]] const auto n = ::write(2, line.data(), line.size());
  ::_exit(1);
}

// One that hangs is ended by its alarm: long after any that does not, however busy the
// machine.
inline pid_t fork_with_watchdog() {
  constexpr unsigned seconds = 40;
  const pid_t child = ::fork();
  if (child == 0) ::alarm(seconds);
  return child;
}

inline ::testing::AssertionResult ended_well(pid_t child) {
  if (child < 0) return ::testing::AssertionFailure() << "no process: " << errno;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ::testing::AssertionSuccess();
  if (WIFSIGNALED(status))
    return ::testing::AssertionFailure()
           << "the child was ended by signal " << WTERMSIG(status)
           << (WTERMSIG(status) == SIGALRM ? ": it hung" : "");
  return ::testing::AssertionFailure() << "exit status " << WEXITSTATUS(status);
}

// Runs `work` in a child.
template <class Work>
::testing::AssertionResult ends_well_in_child(Work work) {
  const pid_t child = fork_with_watchdog();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  return ended_well(child);
}

// A thread for each of `work`, which repeats it until it is stopped.  All have begun when
// this returns, and `work` must not allocate: a fork beside a thread that does may find
// the allocator of AddressSanitizer locked (GCC 12), which it then is in the child for
// good.
template <class... Work>
std::vector<std::jthread> threads_that_repeat(Work... work) {
  std::latch begun(sizeof...(work));
  std::vector<std::jthread> crew;
  const auto start = [&](auto one) {
    crew.emplace_back([&begun, one](const std::stop_token& over) {
      one();
      begun.count_down();
      while (!over.stop_requested()) one();
    });
  };
  (start(work), ...);
  begun.wait();
  return crew;
}

// A test that hangs ends the program, rather than the patience of who waits for it.
class WithWatchdog : public ::testing::Test {
 protected:
  void SetUp() override { ::alarm(300); }
  void TearDown() override { ::alarm(0); }
};

// ThreadSanitizer ends a process that starts a thread after a fork beside threads, and
// AddressSanitizer may wait there for a lock of a thread that the child has not.
inline const bool child_may_start_threads = !sanitized;

}  // namespace bloomery::testing
