// The state of a key_spool: sorted runs on disk, and the one sorted file made of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <bloomery/detail/format/key_spool.hpp>
#include <bloomery/pages.hpp>

#include "format/scratch_file.hpp"

namespace bloomery::inline v1 {

// A sorted part of the file of runs, and what of it is in memory while runs are merged.
struct spool_run {
  std::uint64_t unread, end;        // keys of the file
  std::uint64_t discarded;          // up to here
  std::size_t first = 0, last = 0;  // keys held, in the run's piece of the memory
};

// Keys are collected in `buffer`, of which the first `filled` are in use.  Once counted,
// they are all there, or all in `sorted_file`.
struct key_spool::state {
  state(format::scratch_file runs_in, format::scratch_file sorted_in,
        const spool_options& o) noexcept
      : runs_file(std::move(runs_in)),
        sorted_file(std::move(sorted_in)),
        limit(o.memory_limit),
        progress(o.progress) {}

  // --- collecting (key_spool.cpp) ---
  result<void> add(std::span<const key> keys) noexcept;
  result<void> count(unsigned threads) noexcept;
  result<void> clear() noexcept;

  // --- merging (key_spool_merge.cpp) ---
  // The runs into the sorted file; afterwards there are none.
  result<void> merge(unsigned threads) noexcept;

  // --- delivering (key_spool_take.cpp) ---
  result<sorted_keys> sorted(std::uint64_t reserved) noexcept;

  // At most so many runs: each has a piece of the memory when they are merged.
  std::size_t max_runs() const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(limit / 1024, 65536));
  }
  // Memory for keys, in keys.
  std::size_t room() const noexcept {
    return static_cast<std::size_t>((limit - max_runs() * sizeof(spool_run)) /
                                    sizeof(key));
  }
  std::span<spool_run> runs() noexcept {
    return {reinterpret_cast<spool_run*>(table.data()), run_count};
  }
  bool is_on_disk() const noexcept { return counted && filled == 0 && distinct != 0; }
  void report(std::uint64_t merged, std::uint64_t taken) const noexcept;

  format::scratch_file runs_file, sorted_file;
  std::uint64_t limit;
  progress_call progress;

  pages buffer, scratch;  // room() / 2 keys each, while keys are collected
  std::size_t filled = 0;
  pages table;  // of runs
  std::size_t run_count = 0;
  std::optional<error> broken;  // the files are not what they should be
  std::uint64_t spilled = 0;    // keys written, in all

  bool counted = false;
  std::uint64_t distinct = 0;
  std::uint64_t spooled = 0;  // keys of the runs that were merged
  sentinel_picker smallest;

  pages read_buffer;  // keys [first, last) of it are read and not taken yet
  std::size_t first = 0, last = 0;
  std::uint64_t next = 0;  // the key of the sorted file that follows them
  pages mapping;           // of the sorted file, for a range larger than read_buffer

 private:
  result<void> make_buffers() noexcept;
  result<void> compact() noexcept;
  result<void> spill() noexcept;
  result<void> reopen() noexcept;
  result<void> refill(spool_run& run, std::span<key> piece) noexcept;
  result<std::span<const key>> take_below(std::uint64_t end) noexcept;
  result<std::span<const key>> take_mapped(std::uint64_t end) noexcept;
};

// The keys that fit the memory `p`.
inline std::span<key> keys_of(pages& p) noexcept {
  return {reinterpret_cast<key*>(p.data()), p.size() / sizeof(key)};
}

}  // namespace bloomery::inline v1
