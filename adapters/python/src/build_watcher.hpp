// A build that reports its progress, and that can be interrupted: by an exception of the
// callback, or by a signal (KeyboardInterrupt).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <bloomery/build.hpp>

#include "python.hpp"

namespace bloomery::py {

// Keys are counted twice: when they are read, and when they are put into the filter.
class build_watcher {
 public:
  // progress: None, or progress(done, total).  Raises TypeError.
  explicit build_watcher(nb::handle progress);

  // Under the GIL.  How many keys a batch has; unknown for an iterator.
  void begin_reading(nb::handle keys);
  void end_reading(std::uint64_t keys) noexcept;
  // Raises what ended the build.
  void check();
  // The last call: all of it is done.  Raises what the callback raises.
  void finish();

  // Without the GIL: so many keys more were read.  False: the build has to end.
  bool read(std::uint64_t keys) noexcept;
  build_watch in_build() noexcept;

 private:
  bool tell(std::uint64_t done) noexcept;
  void call(std::uint64_t done);

  nb::handle progress_;
  std::optional<nb::python_error> wrong_;
  std::uint64_t read_ = 0, built_from_ = 0;
  std::optional<std::uint64_t> total_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace bloomery::py
