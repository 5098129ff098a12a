// What one thread did with a filter, counted in the line it owns anyway.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <bloomery/machine.hpp>

namespace bloomery::inline v1 {

enum class count_of : std::uint8_t {
  maybes,
  negatives,
  inserted,
  confirmed_present,
  confirmed_absent,
};

template <class Machine = this_machine>
class thread_counts {
 public:
  // REQUIRES: not shared: no other thread adds
  void add(count_of what, std::uint64_t n, bool shared) noexcept {
    auto& number = numbers_[static_cast<std::size_t>(what)];
    if (shared)
      number.fetch_add(n, std::memory_order_relaxed);
    else
      number.store(number.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::uint64_t read(count_of what) const noexcept {
    return numbers_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
  }

 private:
  typename Machine::template atomic<std::uint64_t> numbers_[5]{};
};

struct lookup_counts {
  std::uint64_t negatives = 0, maybes = 0, confirmed_present = 0, confirmed_absent = 0;
};

struct counted {
  lookup_counts lookups;
  std::uint64_t inserted = 0;
};

// The sum over all threads, ended ones too.
template <class Slots>
counted sum_counts(const Slots& slots) noexcept {
  counted sum;
  slots.for_each([&](const auto& line) {
    sum.lookups.negatives += line.read(count_of::negatives);
    sum.lookups.maybes += line.read(count_of::maybes);
    sum.lookups.confirmed_present += line.read(count_of::confirmed_present);
    sum.lookups.confirmed_absent += line.read(count_of::confirmed_absent);
    sum.inserted += line.read(count_of::inserted);
  });
  return sum;
}

}  // namespace bloomery::inline v1
