// The memory floor: what it costs to touch one random 64-byte line per pre-hashed key, or
// two of them.
//
// No filter that reads (or writes) one line per key can be faster; a filter with two
// places per key has two lines for its floor.  The array is as large as the filter under
// test, aligned to 2 MiB and offered to the kernel as huge pages; the keys are 2^20
// uniform 64-bit values in an array that is read in order.  "Plain" leaves the overlap to
// out-of-order execution; "batched" prefetches 64 lines ahead: 64 keys, or 32 of two
// lines.  An update reads, changes and writes each line that the key has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bloomery/result.hpp>

namespace bloomery::bench {

class line_floor {
 public:
  static constexpr std::size_t in_flight = 64;
  static constexpr std::size_t accesses = std::size_t{1} << 20;
  static constexpr std::size_t batched_accesses = accesses - in_flight;
  static constexpr std::size_t batched_pairs = accesses - in_flight / 2;

  // Rounded up to one line.  Errors: out_of_memory.
  static result<line_floor> make(std::size_t bytes);
  line_floor(line_floor&& other) noexcept;
  line_floor& operator=(line_floor&&) = delete;
  ~line_floor();

  std::uint64_t load_plain() const;
  std::uint64_t load_batched() const;             // batched_accesses of them
  std::vector<std::uint64_t> load_ticks() const;  // of each load by itself
  std::uint64_t update_plain();                   // read, modify, write
  std::uint64_t update_batched();                 // batched_accesses of them
  std::uint64_t atomic_or_batched();              // the same by one locked OR each

  // Two lines per key, chosen independently.
  std::uint64_t load_two_plain() const;
  std::uint64_t load_two_batched() const;  // batched_pairs of them
  std::uint64_t update_two_plain();
  std::uint64_t update_two_batched();  // batched_pairs of them

 private:
  line_floor(void* raw, std::size_t room, std::size_t bytes);

  void* raw_;
  std::size_t room_;
  std::uint64_t* words_;
  std::uint64_t lines_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace bloomery::bench
