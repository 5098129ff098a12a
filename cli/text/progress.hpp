// A progress bar on standard error, for a person: silent unless that is a terminal and
// the work is long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/container.hpp>

namespace bloomery::cli {

class progress {
 public:
  // `doing` names the work, as in "reading keys".
  explicit progress(std::string_view doing, bool quiet = false);
  ~progress();
  progress(const progress&) = delete;

  // If all are regular files their sizes add up to a whole; otherwise only the amount
  // done can be shown.
  void expect_files(const std::vector<std::string>& files);
  void expect_bytes(std::uint64_t whole) { whole_ = whole; }
  void advance(std::uint64_t bytes) { reach(done_ + bytes); }
  void reach(std::uint64_t bytes);
  // A notice on a separate line.
  void note(const std::string& message);

 private:
  void draw();

  std::string doing_;
  bool shown_;
  bool drawn_ = false;
  std::uint64_t done_ = 0;
  std::uint64_t whole_ = 0;  // 0: unknown
  std::chrono::steady_clock::time_point start_, next_;
};

// What the library calls while it reads or writes.  REQUIRES: `bar` outlives the work
progress_call calls_of(progress& bar);

}  // namespace bloomery::cli
