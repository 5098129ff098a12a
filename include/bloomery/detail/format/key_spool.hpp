// The distinct keys of a stream within a memory limit: those that do not fit go to
// temporary files.
//
//   auto spool = bloomery::key_spool::make({.memory_limit = 1u << 30, .directory = "."});
//   while (...) spool->add(keys);
//   auto n = spool->count();         // distinct ones
//   auto all = spool->sorted();      // what a filter is built from
//
// filter_builder (build.hpp) uses it when it is given a limit.  Without one, 8 bytes of
// memory per distinct key are the price (distinct_keys.hpp).
//
// Keys are collected in half of the memory, sorted there, and written as one run when
// they are more than three quarters of it.  `count` merges the runs into one sorted file,
// reading each run once, whatever the keys are: no distribution of them is bad.
// Disk: 8 bytes per key added, and a little more where the file system can give back what
// is merged; elsewhere up to twice as much.
// The files have no names: they are gone with the spool, or with the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/distinct_keys.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/progress.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

struct spool_options {
  // Bytes of memory, at least min_memory.  M bytes are enough for M * M / 22000 keys (of
  // 1 MiB: 50 million), and from 64 MiB on for any number that a disk holds.
  std::uint64_t memory_limit = std::uint64_t{1} << 30;
  // Where the temporary files are made.  It should be on a disk: files in a tmpfs, as
  // /tmp often is, are memory.
  path_ref directory = ".";
  // Called while runs are merged, and while sorted keys are taken: bytes done, and the
  // total of both.  Not called if everything fits in memory.
  progress_call progress{};

  static constexpr std::uint64_t min_memory = std::uint64_t{1} << 20;
};

// Not thread-safe.
class BLOOMERY_EXPORT key_spool {
 public:
  // Errors: invalid_argument (a limit below min_memory), io (no files can be made there),
  // out_of_memory.
  static result<key_spool> make(const spool_options& o) noexcept;
  key_spool(key_spool&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  key_spool& operator=(key_spool&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~key_spool();

  // After an error, the spool is of no more use until it is cleared.
  // Errors: io (the disk is full), too_large (more keys than the limit is enough for).
  result<void> add(std::span<const key> keys) noexcept;

  // How many distinct keys were added.  Errors: io.  REQUIRES: threads >= 1
  result<std::uint64_t> count(unsigned threads = 1) noexcept;

  // All distinct keys, from the first, while the caller uses `reserved` bytes of the
  // limit for something else.  Valid until the next call; the spool does not move
  // meanwhile.  At most half of the rest is read into; a range that does not fit there is
  // mapped from its file.
  // Errors: io.
  result<sorted_keys> sorted(std::uint64_t reserved = 0, unsigned threads = 1) noexcept;

  // The smallest ones.  REQUIRES: count() was called after the last key was added
  const sentinel_picker& smallest() const noexcept;

  // Forgets all keys.  Errors: io.
  result<void> clear() noexcept;

  std::uint64_t memory_limit() const noexcept;
  // Bytes written to temporary files since the spool was made or cleared.
  std::uint64_t spilled_bytes() const noexcept;

 private:
  struct state;
  explicit key_spool(state* s) noexcept : state_(s) {}
  state* state_;
};

}  // namespace bloomery::inline v1
