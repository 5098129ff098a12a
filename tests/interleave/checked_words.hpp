// The words of a filter on the abstract machine: what atomic_words.hpp is on a computer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine.hpp"

namespace interleave {

class checked_words {
 public:
  using copied = plain<std::uint64_t>*;

  explicit checked_words(atomic<std::uint64_t>* first) : first_(first) {}

  std::uint64_t load(std::size_t i, std::memory_order o) const {
    return first_[i].load(o);
  }
  void store(std::size_t i, std::uint64_t v, std::memory_order o) const {
    first_[i].store(v, o);
  }
  void fetch_add(std::size_t i, std::uint64_t v) const {
    first_[i].fetch_add(v, std::memory_order_relaxed);
  }
  bool compare_exchange(std::size_t i, std::uint64_t& seen, std::uint64_t v) const {
    return first_[i].compare_exchange_weak(seen, v, std::memory_order_relaxed,
                                           std::memory_order_relaxed);
  }
  void copy(copied to, std::size_t first, std::size_t count) const {
    for (std::size_t i = first; i < first + count; ++i)
      to[i].set(first_[i].load(std::memory_order_relaxed));
  }
  void fetch(std::size_t) const {}

 private:
  atomic<std::uint64_t>* first_;
};

}  // namespace interleave
