// The blocks of a quotient filter in stripes: what readers saw, what writers hold.
//
// A stripe is 2^n times eight blocks, so that each word, also of the offsets, belongs to
// one of them.  What a call needs is a range of blocks whose end it learns on the way:
// from the home block, or where its offset is saturated from an earlier one, to the end
// of the run, and of a change to the end of the slots that it moves.
//
//   extent    the lock of each stripe before the first word of it is read, in ascending
//             order.  If an earlier one is needed, nothing has changed yet: the caller
//             lets go and begins there.  All locks are held at the first store, and until
//             the last.
//   reading   the version of the home stripe, and of each earlier one before a word of it
//             is read.  At the end they are compared.  Those of later stripes are not
//             needed.  A change that moves the run of a quotient, or makes it longer, is
//             of a quotient that is not greater, so the home stripe lies between its
//             first block and its last, and is held.  Other changes in later stripes
//             begin behind the run, and leave its bits as they are in the words they
//             share.
//
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/striped_words.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// A stripe has blocks and, elsewhere, their offsets.
struct quotient_pieces {
  quotient_layout layout;
  unsigned shift = 0;  // blocks of a stripe, as a power of two

  template <class Use>
  void for_each(std::size_t stripe, Use use) const noexcept {
    const std::uint64_t first = std::uint64_t{stripe} << shift;
    const std::uint64_t count =
        std::min(std::uint64_t{1} << shift, layout.blocks - first);
    use(first * layout.block_words(), count * layout.block_words());
    use(layout.offsets_at() + first / 8, (count + 7) / 8);
  }
};

template <class Words, class Platform = this_platform>
class quotient_stripes : public striped_words<Words, Platform, quotient_pieces> {
  using base = striped_words<Words, Platform, quotient_pieces>;

 protected:
  using base::count_;
  using base::pieces_;
  using base::stripes_;
  using base::words_;

 public:
  using platform = Platform;
  using typename base::stripe;

  static constexpr unsigned group_shift = 3;          // eight blocks: a word of offsets
  static constexpr std::uint64_t max_stripes = 8192;  // 64 KiB: they stay in the L2 cache

  // Errors: out_of_memory.
  static result<quotient_stripes> make(Words all, const quotient_layout& l) noexcept {
    quotient_stripes made(std::move(all));
    unsigned shift = group_shift;
    while ((l.blocks - 1) >> shift >= max_stripes) ++shift;
    const auto count = static_cast<std::size_t>((l.blocks - 1) >> shift) + 1;
    if (!made.make_stripes(count, {l, shift}, stripe::tear))
      return error{errc::out_of_memory, "no memory for the stripes of a filter"};
    return made;
  }

  const quotient_layout& layout() const noexcept { return pieces_.layout; }

  // In the child of a fork: a thread of the parent was changing some of it.
  bool is_torn() const noexcept {
    for (std::size_t s = 0; s < count_; ++s)
      if (stripes_[s].is_torn()) return true;
    return false;
  }
  // Alone, when all words were written anew.
  void heal() noexcept {
    for (std::size_t s = 0; s < count_; ++s) stripes_[s].heal();
  }

  std::size_t number_of(std::uint64_t block) const noexcept {
    return static_cast<std::size_t>(block >> pieces_.shift);
  }
  const stripe* stripe_at(std::uint64_t block) const noexcept {
    return &stripes_[number_of(block)];
  }

  // The words that one attempt of a reader reads (quotient_runs.hpp).
  class reading {
   public:
    BLOOMERY_INLINE reading(const quotient_stripes& all, std::uint64_t home) noexcept
        : all_(all), low_(all.number_of(home) + 1), high_(low_) {
      add_before();
    }
    reading(const reading&) = delete;

    // The words, to be loaded in this order.
    static constexpr std::memory_order load_order = stripe::data_load;
    BLOOMERY_INLINE const Words& words() const noexcept { return all_.words_; }
    // False: a writer holds a stripe on the way.
    BLOOMERY_INLINE bool reach(std::uint64_t block) noexcept {
      while (block < first_block_ && !held_) [[unlikely]] add_before();
      return !held_;
    }

    bool met_a_writer() const noexcept { return held_; }
    // What was read is the state of one moment.  Versions only grow, as far as they are
    // even: their sum is the same if each is.
    BLOOMERY_INLINE bool is_whole() const noexcept {
      if (held_) return false;
      std::uint64_t now = 0;
      for (std::size_t s = low_; s < high_; ++s) now += all_.stripes_[s].last_version();
      return now == sum_;
    }

   protected:
    BLOOMERY_INLINE void add_before() noexcept {
      const std::uint64_t v = all_.stripes_[--low_].version();
      held_ = stripe::is_held(v);
      sum_ += v;
      first_block_ = std::uint64_t{low_} << all_.pieces_.shift;
    }

    const quotient_stripes& all_;
    std::size_t low_;         // stripes
    const std::size_t high_;  // behind the home stripe
    std::uint64_t first_block_ = 0;
    std::uint64_t sum_ = 0;
    bool held_ = false;
  };

  // The words that one attempt of a writer reads and changes (quotient_changes.hpp).
  class extent {
   public:
    // Starts at the stripe, which it locks.
    extent(const quotient_stripes& all, std::size_t first) noexcept
        : all_(all), low_(first), high_(first) {
      lock_next();
    }
    ~extent() {
      for (std::size_t s = low_; s < high_; ++s)
        changed_ ? all_.stripes_[s].unlock() : all_.stripes_[s].unlock_unchanged();
    }
    extent(const extent&) = delete;

    // The words, to be loaded and stored in these orders.
    static constexpr std::memory_order load_order = std::memory_order_relaxed;
    static constexpr std::memory_order store_order = stripe::data_store;
    const Words& words() const noexcept { return all_.words_; }
    // Before the first store, and any other.
    BLOOMERY_INLINE void change() noexcept {
      if (!changed_) [[unlikely]]
        begin_change();
    }
    // False: an earlier stripe is needed, or one is torn.
    bool reach(std::uint64_t block) noexcept {
      if (block < end_block_ && block >= first_block_) [[likely]]
        return true;
      assert(!changed_);
      const std::size_t s = all_.number_of(block);
      if (s < low_) {
        earlier_ = s;
        return false;
      }
      while (high_ <= s)
        if (!lock_next()) return false;
      return true;
    }

    // The call was given up because it needs this stripe, too.
    bool needs_earlier() const noexcept { return earlier_ < low_; }
    std::size_t earlier() const noexcept { return earlier_; }

   protected:
    bool lock_next() noexcept {
      if (!all_.stripes_[high_].lock()) [[unlikely]]
        return false;
      ++high_;
      first_block_ = std::uint64_t{low_} << all_.pieces_.shift;
      end_block_ = std::uint64_t{high_} << all_.pieces_.shift;
      return true;
    }
    void begin_change() noexcept {
      changed_ = true;
      const std::uint64_t now = all_.epoch();
      for (std::size_t s = low_; s < high_; ++s) all_.keep(s, now);
    }

    const quotient_stripes& all_;
    std::size_t low_, high_;  // stripes that are held
    std::uint64_t first_block_ = 0, end_block_ = 0;
    std::size_t earlier_ = ~std::size_t{0};
    bool changed_ = false;
  };

 protected:
  explicit quotient_stripes(Words all) noexcept : base(std::move(all)) {}
};

}  // namespace bloomery::inline v1
