// Counts what a program takes from the system, and refuses what it is told to refuse.
//
// For programs that are linked with the wrappers of allocations.cpp (bloomery_watched in
// CMakeLists.txt): malloc and its kin, aligned_alloc, mmap and operator new.  Only calls
// between construction and destruction of a watch count, from the library as from the
// test: keep the test's own outside.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery::testing {

class allocation_watch {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // `fail_at`: this one fails, the first is 1, and all after it succeed again.
  explicit allocation_watch(std::uint64_t fail_at = never) noexcept;
  allocation_watch(const allocation_watch&) = delete;
  ~allocation_watch();

  // So far; mappings of files count as calls, not as bytes.
  std::uint64_t calls() const noexcept;
  std::uint64_t bytes() const noexcept;
};

// What a reader of hostile bytes may take beyond as many as it was given.
inline constexpr std::uint64_t max_beyond_input = std::uint64_t{1} << 20;

}  // namespace bloomery::testing
