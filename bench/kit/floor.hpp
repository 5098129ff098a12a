// The memory floor: what it costs to touch one random 64-byte line per pre-hashed key.
//
// No filter that reads (or writes) one line per key can be faster.  The array is as large
// as the filter under test, aligned to 2 MiB and offered to the kernel as huge pages;
// the keys are 2^20 uniform 64-bit values in an array that is read in order.  "Plain"
// leaves the overlap to out-of-order execution; "batched" prefetches 64 keys ahead.
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

 private:
  line_floor(void* raw, std::size_t room, std::size_t bytes);

  void* raw_;
  std::size_t room_;
  std::uint64_t* words_;
  std::uint64_t lines_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace bloomery::bench
