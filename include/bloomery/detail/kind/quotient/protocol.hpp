// The quotient filter for several threads: writers lock stripes, readers lock nothing
// (quotient_stripes.hpp).  What is done to the words is the plain filter's own code.
//
//   reader   up to `Tries` attempts, then "possibly present", counted.  Never waits.
//   insert, erase   under the stripes of all that they read and change.  A saturated
//            offset is computed again under the locks of the blocks it depends on.
//
// Every state between two changes is that of a filter (spec/filters.md, 15.3), and the
// multiset of fingerprints determines it: when no writer is at work the bytes are those
// of the plain filter, whatever the order of the changes was.
//
// Stripes: quotient_stripes, or one with a fault.  Select: as in quotient_runs.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <bloomery/detail/kind/quotient/changes.hpp>
#include <bloomery/detail/kind/quotient/runs.hpp>

namespace bloomery::inline v1 {

// How quotient_runs and quotient_changes read and write through one attempt.
template <class Attempt>
struct quotient_attempt {
  // The words are at hand, so that a store to them makes nothing else be loaded again.
  using words_type = std::remove_cvref_t<decltype(std::declval<Attempt&>().words())>;

  Attempt* now;
  words_type words;

  BLOOMERY_INLINE explicit quotient_attempt(Attempt& a) noexcept
      : now(&a), words(a.words()) {}

  BLOOMERY_INLINE std::uint64_t word(std::uint64_t i) const noexcept {
    return words.load(i, Attempt::load_order);
  }
  BLOOMERY_INLINE void set_word(std::uint64_t i, std::uint64_t v) const noexcept {
    now->change();
    words.store(i, v, Attempt::store_order);
  }
  BLOOMERY_INLINE bool can_read(std::uint64_t block) const noexcept {
    return now->reach(block);
  }
  // The offset is in the stripe of the block.
  BLOOMERY_INLINE bool can_read_offset(std::uint64_t block) const noexcept {
    return now->reach(block);
  }
};

template <class Stripes, class Select, unsigned Tries = 64>
class shared_quotient {
  using reading = typename Stripes::reading;
  using extent = typename Stripes::extent;

 public:
  using runs = quotient_runs<quotient_attempt<reading>, Select>;
  using changes = quotient_changes<quotient_attempt<extent>, Select>;

  BLOOMERY_INLINE explicit shared_quotient(const Stripes& all) noexcept : all_(all) {}

  // --- readers: any thread ---
  BLOOMERY_INLINE bool may_contain(std::uint64_t fingerprint) const noexcept {
    bool found = true;
    const bool sure = attempt(block_of(fingerprint), [&](const runs& f) noexcept {
      found = f.may_contain(fingerprint);
    });
    if (!sure) [[unlikely]]
      all_.give_up();
    return found || !sure;
  }
  // False: not after `Tries` attempts.
  bool count(std::uint64_t fingerprint, std::uint64_t& copies) const noexcept {
    const bool sure = attempt(block_of(fingerprint), [&](const runs& f) noexcept {
      const quotient_run run = f.find(quotient_of(fingerprint));
      copies = run.state == run_state::found
                   ? f.count_in(run, fingerprint & ((std::uint64_t{1} << r()) - 1))
                   : 0;
    });
    if (!sure) all_.give_up();
    return sure;
  }
  // use(runs), whose runs of quotients of this block are those of one moment.  It may be
  // called before, with words of several.  False: not after `Tries` attempts.
  template <class Use>
  BLOOMERY_INLINE bool attempt(std::uint64_t block, Use use) const noexcept {
    for (unsigned i = 0; i < Tries; ++i) {
      reading now(all_, block);
      if (!now.met_a_writer()) [[likely]]
        use(runs(all_.layout(), quotient_attempt<reading>(now)));
      if (now.is_whole()) [[likely]]
        return true;
      // The first 64 waits are short ones, which give no processor away.
      if (now.met_a_writer()) Stripes::platform::back_off(i);
    }
    return false;
  }

  // The same, after `Tries` attempts under locks.  use(runs) is called with two types.
  // False: the block is torn.
  template <class Use>
  bool read(std::uint64_t block, Use use) const noexcept {
    if (attempt(block, use)) return true;
    for (std::size_t first = all_.number_of(block);;) {
      extent now(all_, first);
      if (!now.reach(block)) return false;
      use(quotient_runs<quotient_attempt<extent>, Select>(all_.layout(),
                                                          quotient_attempt<extent>(now)));
      if (!now.needs_earlier()) return true;
      first = now.earlier();
    }
  }

  // --- writers: any thread.  `unreadable`: a stripe is torn ---
  quotient_outcome insert(std::uint64_t fingerprint) const noexcept {
    return change(fingerprint,
                  [&](changes& f) noexcept { return f.insert(fingerprint); });
  }
  quotient_outcome erase(std::uint64_t fingerprint) const noexcept {
    return change(fingerprint, [&](changes& f) noexcept { return f.erase(fingerprint); });
  }

 private:
  unsigned r() const noexcept { return all_.layout().remainder_bits; }
  std::uint64_t quotient_of(std::uint64_t f) const noexcept { return f >> r(); }
  std::uint64_t block_of(std::uint64_t f) const noexcept { return quotient_of(f) / 64; }

  // Each attempt begins one stripe before the last: there are no more than stripes.
  template <class Change>
  quotient_outcome change(std::uint64_t fingerprint, Change make) const noexcept {
    for (std::size_t first = all_.number_of(block_of(fingerprint));;) {
      extent now(all_, first);
      changes f(all_.layout(), quotient_attempt<extent>(now));
      const quotient_outcome done = make(f);
      if (!now.needs_earlier()) return done;
      first = now.earlier();
    }
  }

  const Stripes& all_;
};

}  // namespace bloomery::inline v1
