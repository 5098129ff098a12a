// Stripes of a quotient filter with one fault each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "checked_quotient.hpp"

namespace interleave {

template <class Fault>
struct faulty_stripes : sound_stripes {
  explicit faulty_stripes(sound_stripes&& s) : sound_stripes(std::move(s)) {}
  static bloomery::result<Fault> make(const some_words& w,
                                      const bloomery::quotient_layout& l) {
    return Fault(*sound_stripes::make(w, l));
  }
  using sound_reading = sound_stripes::reading;
  using sound_extent = sound_stripes::extent;
};

// --- readers ---

struct without_second_look : faulty_stripes<without_second_look> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    using sound_reading::sound_reading;
    bool is_whole() const { return !held_; }
  };
};

// Not that of the home stripe.
struct checks_where_the_run_is : faulty_stripes<checks_where_the_run_is> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    reading(const checks_where_the_run_is& all, std::uint64_t block)
        : sound_reading(all, block), fault_(all), block_(block), version_(sum_) {}
    bool reach(std::uint64_t block) {
      if (fault_.number_of(block) > fault_.number_of(block_)) {
        block_ = block;
        version_ = fault_.stripe_at(block)->version();
        held_ = stripe::is_held(version_);
      }
      return !held_;
    }
    bool is_whole() const {
      return !held_ && fault_.stripe_at(block_)->is_still(version_);
    }

   private:
    const checks_where_the_run_is& fault_;
    std::uint64_t block_, version_;
  };
};

// Compares versions, and takes an odd one for as good as an even one.
struct does_not_mind_a_writer : faulty_stripes<does_not_mind_a_writer> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    using sound_reading::sound_reading;
    bool reach(std::uint64_t block) {
      held_ = false;
      (void)sound_reading::reach(block);
      held_ = false;
      return true;
    }
    static bool met_a_writer() { return false; }
    bool is_whole() {
      held_ = false;
      return sound_reading::is_whole();
    }
  };
};

struct relaxed_loads : faulty_stripes<relaxed_loads> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    using sound_reading::sound_reading;
    static constexpr auto load_order = relaxed;
  };
};

struct no_earlier_version : faulty_stripes<no_earlier_version> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    using sound_reading::sound_reading;
    bool reach(std::uint64_t block) {
      return block < first_block_ || sound_reading::reach(block);
    }
  };
};

// --- writers ---

struct relaxed_stores : faulty_stripes<relaxed_stores> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    using sound_extent::sound_extent;
    static constexpr auto store_order = relaxed;
  };
};

struct same_version_after : faulty_stripes<same_version_after> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    using sound_extent::sound_extent;
    ~extent() { changed_ = false; }
  };
};

struct unlocks_before_the_last_store : faulty_stripes<unlocks_before_the_last_store> {
  using faulty_stripes::faulty_stripes;
  // Each store waits for the next.
  struct late_words {
    const some_words* all;
    std::uint64_t* waits;  // word, value
    std::uint64_t load(std::uint64_t i, std::memory_order o) const {
      return i == waits[0] ? waits[1] : all->load(i, o);
    }
    void store(std::uint64_t i, std::uint64_t v, std::memory_order) const {
      store_waiting();
      waits[0] = i;
      waits[1] = v;
    }
    void store_waiting() const {
      if (waits[0] != none) all->store(waits[0], waits[1], release);
    }
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  struct extent : sound_extent {
    extent(const unlocks_before_the_last_store& all, std::size_t first)
        : sound_extent(all, first), fault_(all) {}
    ~extent() {
      for (; low_ < high_; ++low_)
        changed_ ? fault_.stripes_[low_].unlock()
                 : fault_.stripes_[low_].unlock_unchanged();
      words().store_waiting();
    }
    late_words words() { return {&fault_.words(), waits_}; }

   private:
    const unlocks_before_the_last_store& fault_;
    std::uint64_t waits_[2] = {none, 0};
  };
};

// Only the second of two stripes is held when words change.
struct unlocks_before_it_locks : faulty_stripes<unlocks_before_it_locks> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    extent(const unlocks_before_it_locks& all, std::size_t first)
        : sound_extent(all, first), all_stripes_(all) {}
    bool reach(std::uint64_t block) {
      if (block < first_block_) return true;
      for (; all_stripes_.number_of(block) >= high_; ++low_) {
        all_stripes_.stripes_[low_].unlock();
        if (!lock_next()) return false;
      }
      return true;
    }

   private:
    const unlocks_before_it_locks& all_stripes_;
  };
};

struct home_stripe_only : faulty_stripes<home_stripe_only> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    using sound_extent::sound_extent;
    static bool reach(std::uint64_t) { return true; }
  };
};

struct no_earlier_lock : faulty_stripes<no_earlier_lock> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    using sound_extent::sound_extent;
    bool reach(std::uint64_t block) {
      return block < first_block_ || sound_extent::reach(block);
    }
  };
};

// With the later ones in its hands.
struct locks_earlier_at_once : faulty_stripes<locks_earlier_at_once> {
  using faulty_stripes::faulty_stripes;
  struct extent : sound_extent {
    extent(const locks_earlier_at_once& all, std::size_t first)
        : sound_extent(all, first), all_stripes_(all) {}
    bool reach(std::uint64_t block) {
      while (block < first_block_) {
        all_stripes_.stripes_[--low_].lock();
        first_block_ = low_ * 8;
      }
      return sound_extent::reach(block);
    }

   private:
    const locks_earlier_at_once& all_stripes_;
  };
};

}  // namespace interleave
