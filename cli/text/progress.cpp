#include "text/progress.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto first_after = 500ms;  // quick work shows nothing
constexpr auto then_every = 100ms;
constexpr int width = 30;

// ", 3 min 20 s left", at the pace so far.
std::string time_left(double part, double seconds) {
  if (!(part > 0)) return "";
  const auto left = static_cast<std::uint64_t>(seconds * (1 - part) / part + 0.5);
  if (left < 60) return fmt::format(", {} s left", left);
  if (left < 3600) return fmt::format(", {} min {} s left", left / 60, left % 60);
  return fmt::format(", {} h {} min left", left / 3600, left / 60 % 60);
}

}  // namespace

progress::progress(std::string_view doing, bool quiet)
    : doing_(doing),
      shown_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + first_after) {}

progress::~progress() {
  if (drawn_) say("\r\033[K");
}

void progress::expect_files(const std::vector<std::string>& files) {
  std::uint64_t sum = 0;
  for (const std::string& file : files) {
    struct stat info;
    const int failed =
        file == "-" ? ::fstat(STDIN_FILENO, &info) : ::stat(file.c_str(), &info);
    if (failed != 0 || !S_ISREG(info.st_mode)) return;
    sum += static_cast<std::uint64_t>(info.st_size);
  }
  whole_ = sum;
}

void progress::reach(std::uint64_t bytes) {
  done_ = bytes;
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + then_every;
  draw();
}

void progress::note(const std::string& message) {
  if (std::exchange(drawn_, false)) say("\r\033[K");
  cli::note(message);
}

void progress::draw() {
  drawn_ = true;
  if (whole_ == 0) {
    say(fmt::format("\r\033[K{}: {}", doing_, size(done_)));
  } else {
    const double part =
        std::min(1.0, static_cast<double>(done_) / static_cast<double>(whole_));
    const int full = static_cast<int>(part * width);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    say(fmt::format("\r\033[K{}: [{:=<{}}{:{}}] {:3.0f} % of {}{}", doing_, "", full, "",
                    width - full, 100 * part, size(whole_), time_left(part, seconds)));
  }
  std::fflush(stderr);
}

progress_call calls_of(progress& bar) {
  return {[](void* shown, std::uint64_t done, std::uint64_t all) {
            auto& it = *static_cast<progress*>(shown);
            it.expect_bytes(all);
            it.reach(done);
          },
          &bar};
}

}  // namespace bloomery::cli
