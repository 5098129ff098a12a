// What one thread did with a filter, counted in the line it owns anyway.
//
// Lives as `Extra` of reader_slots: a lookup that pins has the line at hand, so a count
// costs a load and a store there, shares no line with another thread or with bits, and is
// never lost.  Threads without a slot of their own share the last one and add by a locked
// instruction.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <bloomery/machine.hpp>
#include <bloomery/observed_rate.hpp>
#include <bloomery/reader_slots.hpp>

namespace bloomery::inline v1 {

enum class count_of : std::uint8_t {
  maybes,
  negatives,
  inserted,
  confirmed_present,
  confirmed_absent,
};

// A number that one thread adds to, or several (`shared`), while others read it.
template <class Machine>
void add_to(typename Machine::template atomic<std::uint64_t>& number, std::uint64_t n,
            bool shared) noexcept {
  if (shared)
    number.fetch_add(n, std::memory_order_relaxed);
  else
    number.store(number.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

template <class Machine = this_machine>
class thread_counts {
 public:
  // REQUIRES: not shared: no other thread adds
  void add(count_of what, std::uint64_t n, bool shared) noexcept {
    add_to<Machine>(numbers_[static_cast<std::size_t>(what)], n, shared);
  }
  std::uint64_t read(count_of what) const noexcept {
    return numbers_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
  }

 private:
  typename Machine::template atomic<std::uint64_t> numbers_[5]{};
};

static_assert(sizeof(reader_slots<thread_counts<>>::slot) == 64,
              "the counts fit into the line of the pin");

struct counted {
  lookup_counts lookups;
  std::uint64_t inserted = 0;
};

// The sum over all threads, ended ones too.  Contains all that happens-before the call;
// of what happens meanwhile, any part.
template <class Slots>
counted sum_counts(const Slots& slots) noexcept {
  counted sum;
  slots.for_each([&](const auto& line) {
    sum.lookups +=
        {line.read(count_of::negatives), line.read(count_of::maybes),
         line.read(count_of::confirmed_present), line.read(count_of::confirmed_absent)};
    sum.inserted += line.read(count_of::inserted);
  });
  return sum;
}

}  // namespace bloomery::inline v1
