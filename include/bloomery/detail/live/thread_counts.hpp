// What one thread did with a filter, counted in the line it owns anyway.
//
// Lives as `Extra` of rcu_domain: a lookup that pins has the line at hand, so a count
// costs a load and a store there, shares no line with another thread or with bits, and is
// never lost.  Threads without a slot of their own share the last one and add by a locked
// instruction.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <bloomery/detail/live/observed_rate.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/rcu_domain.hpp>

namespace bloomery::inline v1 {

enum class count_of : std::uint8_t {
  lookups,  // those that were no visit (rcu_domain.hpp), which its slot counts for free
  maybes,
  inserted,
  confirmed_present,
  confirmed_absent,
};

// A number that one thread adds to, or several (`shared`), while others read it.
template <class Platform>
void add_to(typename Platform::template atomic<std::uint64_t>& number, std::uint64_t n,
            bool shared) noexcept {
  if (shared)
    number.fetch_add(n, std::memory_order_relaxed);
  else
    number.store(number.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

template <class Platform = this_platform>
class thread_counts {
 public:
  // REQUIRES: not shared: no other thread adds
  void add(count_of what, std::uint64_t n, bool shared) noexcept {
    add_to<Platform>(numbers_[static_cast<std::size_t>(what)], n, shared);
  }
  std::uint64_t read(count_of what) const noexcept {
    return numbers_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
  }

 private:
  typename Platform::template atomic<std::uint64_t> numbers_[5]{};
};

static_assert(sizeof(rcu_domain<thread_counts<>>::slot) == 64,
              "the counts fit into the line of the pin");

// Eight at a time: a loop over bools would show beside a lookup.
inline std::uint64_t count_true(std::span<const bool> answers) noexcept {
  constexpr std::uint64_t each_byte = 0x0101010101010101;
  std::uint64_t yes = 0;
  std::size_t i = 0;
  for (; i + 8 <= answers.size(); i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, answers.data() + i, sizeof eight);
    yes += eight * each_byte >> 56;  // the sum of its bytes
  }
  for (; i < answers.size(); ++i) yes += answers[i];
  return yes;
}

struct counted {
  lookup_counts lookups;
  std::uint64_t inserted = 0;
};

// The sum over all threads, ended ones too.  Contains all that happens-before the call;
// of what happens meanwhile, any part.  REQUIRES: every visit is one lookup
//
// `negatives` is a difference of numbers that are not read in one instant, and never too
// large: with the maximum reported so far it does not fall either.
template <class Slots>
counted sum_counts(const Slots& slots,
                   std::atomic<std::uint64_t>& max_negatives) noexcept {
  counted sum;
  slots.for_each([&](const auto& line, std::uint64_t visits) {
    // In this order: a positive answer is counted before its lookup is.
    const std::uint64_t lookups = visits + line.read(count_of::lookups);
    const std::uint64_t maybes = line.read(count_of::maybes);
    sum.lookups +=
        {lookups > maybes ? lookups - maybes : 0, maybes,
         line.read(count_of::confirmed_present), line.read(count_of::confirmed_absent)};
    sum.inserted += line.read(count_of::inserted);
  });
  std::uint64_t before = max_negatives.load(std::memory_order_relaxed);
  while (before < sum.lookups.negatives &&
         !max_negatives.compare_exchange_weak(before, sum.lookups.negatives,
                                              std::memory_order_relaxed)) {
  }
  sum.lookups.negatives = std::max(before, sum.lookups.negatives);
  return sum;
}

}  // namespace bloomery::inline v1
