// The cuckoo filter for several threads: writers lock stripes, readers lock nothing.
//
// A stripe is 2^n groups of sixteen buckets with one version (version_stripe.hpp).
//   reader   the version of the stripe of its first bucket, both buckets, the version
//            again.  A tag is inserted, moved and erased under the stripes of both its
//            buckets, so either version shows whether it moved from one to the other
//            between the two reads.  A tag that is found needs no second look.  After
//            `Tries` attempts the answer is "possibly present".  Never waits.
//   insert   under the stripes of both buckets, in the order of their numbers.  If both
//            are full: a search without locks, then tags are moved one by one from the
//            empty end, each under the stripes of its two buckets, if the slot still has
//            the tag and there is still room; after `Rounds` attempts, under all stripes.
//            Refused only if one search found no room in buckets that all stayed as they
//            were.  A tag is written to its new bucket before it is deleted from the old
//            one: a process that forks in between has it twice, not lost.
//   erase    under the stripes of both buckets.
//   copy     of one moment: striped_words.hpp.
//
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/search.hpp>
#include <bloomery/detail/kind/cuckoo/shared_buckets.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/striped_words.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

enum class cuckoo_insert : std::uint8_t { done, full, too_many_copies };

// The buckets of a stripe lie side by side.
struct cuckoo_pieces {
  std::uint64_t each = 0, end = 0;  // words

  template <class Use>
  void for_each(std::size_t stripe, Use use) const noexcept {
    const std::uint64_t first = stripe * each;
    use(first, std::min(each, end - first));
  }
};

template <class Words, class Platform = this_platform, unsigned Tries = 64,
          unsigned Rounds = 8>
class shared_cuckoo : public striped_words<Words, Platform, cuckoo_pieces> {
  using base = striped_words<Words, Platform, cuckoo_pieces>;

 protected:
  using base::count_;
  using base::epoch;
  using base::keep;
  using base::stripes_;
  using base::words_;

 public:
  using place = cuckoo_probe::place;
  using typename base::stripe;
  template <class Width>
  using buckets = shared_buckets<Width, Words>;

  static constexpr std::uint64_t group = 16;          // buckets
  static constexpr std::uint64_t max_stripes = 8192;  // 64 KiB: they stay in the L2 cache
  static constexpr unsigned max_copies = 2 * cuckoo_probe::slots;

  // Errors: out_of_memory.
  static result<shared_cuckoo> make(Words all, const cuckoo_probe& probe) noexcept {
    shared_cuckoo made(std::move(all), probe);
    const std::uint64_t groups = (probe.buckets() + group - 1) / group;
    while ((groups - 1) >> made.shift_ >= max_stripes) ++made.shift_;
    const cuckoo_pieces pieces{std::uint64_t{probe.tag_bits()} << made.shift_,
                               (probe.size_in_bytes() + 7) / 8};
    if (!made.make_stripes(((groups - 1) >> made.shift_) + 1, pieces, stripe::mend))
      return error{errc::out_of_memory, "no memory for the stripes of a filter"};
    return made;
  }

  // --- readers: any thread ---
  template <class Width>
  BLOOMERY_INLINE bool has(Width width, const place& p) const noexcept {
    const buckets<Width> b(words_, width);
    for (unsigned i = 0; i < Tries; ++i) {
      const reading now(stripe_of(p.first));
      const auto x = b.load(p.first, stripe::data_load);
      const auto y = b.load(p.second, stripe::data_load);
      if (b.tags().has(x, y, p.tag)) return true;
      if (now.is_whole()) [[likely]]
        return false;
    }
    return this->give_up(), true;
  }
  // Copies of a tag: exact, or max_copies after `Tries` attempts.
  template <class Width>
  unsigned count(Width width, const place& p) const noexcept {
    const buckets<Width> b(words_, width);
    for (unsigned i = 0; i < Tries; ++i) {
      const reading now(stripe_of(p.first));
      const auto x = b.load(p.first, stripe::data_load);
      const auto y = b.load(p.second, stripe::data_load);
      if (now.is_whole()) return copies(b.tags(), x, y, p.tag);
    }
    return this->give_up(), max_copies;
  }
  // Prefetches what a lookup of this key will read.
  template <class Width>
  BLOOMERY_INLINE void fetch(Width width, const place& p) const noexcept {
    __builtin_prefetch(stripe_at(p.first));
    fetch_buckets(width, p);
  }
  // The same before a change, for which the caller fetches both stripes, to write them:
  // else each lock waits for another core in turn.
  template <class Width>
  BLOOMERY_INLINE void fetch_buckets(Width width, const place& p) const noexcept {
    const buckets<Width> b(words_, width);
    b.fetch(p.first);
    b.fetch(p.second);
  }
  const void* stripe_at(std::uint64_t bucket) const noexcept {
    return &stripe_of(bucket);
  }

  // --- writers: any thread ---
  template <class Width>
  cuckoo_insert insert(Width width, const place& p) noexcept {
    const buckets<Width> b(words_, width);
    cuckoo_search<Width> path;
    for (unsigned round = 0; round < Rounds; ++round) {
      bool put = false;
      {
        pair_hold hold(*this, p.first, p.second);
        if (const auto done = insert_if_room(b, p, hold, put); put) return done;
      }
      switch (search(b, p, path)) {
        case found::path:
          move_along(b, path);
          break;
        case found::no_room:
          return cuckoo_insert::full;
        default:
          break;
      }
    }
    return insert_alone(b, p, path);
  }

  // False: the tag is in neither bucket.
  template <class Width>
  bool erase(Width width, const place& p) noexcept {
    const buckets<Width> b(words_, width);
    pair_hold hold(*this, p.first, p.second);
    for (const std::uint64_t bucket : {p.first, p.second}) {
      const auto equal = b.tags().equal(b.load(bucket, std::memory_order_relaxed), p.tag);
      if (equal == 0) continue;
      hold.begin_change();
      b.store(bucket, b.tags().first(equal), 0, stripe::data_store);
      return true;
    }
    return false;
  }

 protected:
  // What was loaded between its beginning and is_whole() is, of any tag with a bucket in
  // the stripe, the state of one moment.
  class reading {
   public:
    BLOOMERY_INLINE explicit reading(const stripe& s) noexcept
        : stripe_(s), version_(s.version()) {}
    BLOOMERY_INLINE bool is_whole() const noexcept {
      return !stripe::is_held(version_) && stripe_.is_still(version_);
    }

   private:
    const stripe& stripe_;
    std::uint64_t version_;
  };

  // The stripes of two buckets.
  class pair_hold {
   public:
    pair_hold(const shared_cuckoo& all, std::uint64_t a, std::uint64_t b) noexcept
        : all_(all),
          low_(std::min(all.number_of(a), all.number_of(b))),
          high_(std::max(all.number_of(a), all.number_of(b))) {
      all_.stripes_[low_].lock();
      if (high_ != low_) all_.stripes_[high_].lock();
    }
    ~pair_hold() {
      leave(low_);
      if (high_ != low_) leave(high_);
    }
    pair_hold(const pair_hold&) = delete;
    // Before the first store.
    void begin_change() noexcept {
      changed_ = true;
      const std::uint64_t now = all_.epoch();
      all_.keep(low_, now);
      if (high_ != low_) all_.keep(high_, now);
    }

   private:
    void leave(std::size_t s) noexcept {
      changed_ ? all_.stripes_[s].unlock() : all_.stripes_[s].unlock_unchanged();
    }

    const shared_cuckoo& all_;
    std::size_t low_, high_;
    bool changed_ = false;
  };

  // All of them.
  class whole_hold {
   public:
    explicit whole_hold(const shared_cuckoo& all) noexcept : all_(all) {
      for (std::size_t s = 0; s < all_.count_; ++s) all_.stripes_[s].lock();
    }
    ~whole_hold() {
      for (std::size_t s = 0; s < all_.count_; ++s)
        changed_ ? all_.stripes_[s].unlock() : all_.stripes_[s].unlock_unchanged();
    }
    whole_hold(const whole_hold&) = delete;
    void begin_change() noexcept {
      if (std::exchange(changed_, true)) return;
      const std::uint64_t now = all_.epoch();
      for (std::size_t s = 0; s < all_.count_; ++s) all_.keep(s, now);
    }

   private:
    const shared_cuckoo& all_;
    bool changed_ = false;
  };

  shared_cuckoo(Words all, const cuckoo_probe& probe) noexcept
      : base(std::move(all)), probe_(probe) {}

  std::size_t number_of(std::uint64_t bucket) const noexcept {
    return static_cast<std::size_t>(bucket / group >> shift_);
  }
  stripe& stripe_of(std::uint64_t bucket) const noexcept {
    return stripes_[number_of(bucket)];
  }
  template <class Fields>
  static unsigned copies(const Fields& tags, typename Fields::word x,
                         typename Fields::word y, std::uint32_t tag) noexcept {
    return tags.size(tags.equal(x, tag)) + tags.size(tags.equal(y, tag));
  }

  // `settled`: the key is in, or has too many copies.  REQUIRES: hold has both buckets
  template <class Width, class Hold>
  cuckoo_insert insert_if_room(const buckets<Width>& b, const place& p, Hold& hold,
                               bool& settled) noexcept {
    const auto x = b.load(p.first, std::memory_order_relaxed);
    const auto y = b.load(p.second, std::memory_order_relaxed);
    settled = true;
    if (copies(b.tags(), x, y, p.tag) >= max_copies)
      return cuckoo_insert::too_many_copies;
    const auto room = b.tags().empty(x), room_beside = b.tags().empty(y);
    if ((room | room_beside) != 0) {
      // The bucket whose first empty slot comes first, as the plain filter: with one
      // thread the bytes are the same.
      const bool beside = (~room_beside & (room_beside - 1)) < (~room & (room - 1));
      hold.begin_change();
      b.store(beside ? p.second : p.first, b.tags().first(beside ? room_beside : room),
              p.tag, stripe::data_store);
      return cuckoo_insert::done;
    }
    settled = false;
    return cuckoo_insert::full;
  }

  enum class found : std::uint8_t { path, room_in_pair, no_room, unsettled };

  // Without locks.  `no_room`: twice in a row the same buckets were read, in the same
  // versions: as they were between the two, none had room.
  template <class Width>
  found search(const buckets<Width>& b, const place& p,
               cuckoo_search<Width>& path) const noexcept {
    trail first, second;
    const found one = search_once(b, p, path, first);
    if (one != found::no_room) return one;
    if (!first.settled) return found::unsettled;
    const found two = search_once(b, p, path, second);
    if (two != found::no_room) return two;
    return first == second ? found::no_room : found::unsettled;
  }

  // The buckets that a search read, and their versions, as a hash.
  struct trail {
    std::uint64_t hash = 0;
    bool settled = true;  // nobody held any of them
    void add(std::uint64_t bucket, std::uint64_t version) noexcept {
      if (stripe::is_held(version)) settled = false;
      for (const std::uint64_t x : {bucket, version})
        hash = std::rotl(hash ^ x, 23) * 0x9FB21C651E98DF25;
    }
    bool operator==(const trail&) const noexcept = default;
  };

  template <class Width>
  found search_once(const buckets<Width>& b, const place& p, cuckoo_search<Width>& path,
                    trail& t) const noexcept {
    using word = typename buckets<Width>::word;
    const auto read = [&](std::uint64_t bucket, word& x) noexcept {
      t.add(bucket, stripe_of(bucket).version());
      x = b.load(bucket, stripe::data_load);
      return true;
    };
    word x, y;
    read(p.first, x);
    read(p.second, y);
    if (!b.tags().is_full(x) || !b.tags().is_full(y)) return found::room_in_pair;
    return path.find(probe_, b.tags(), p, x, y, read) ? found::path : found::no_room;
  }

  template <class Width>
  void move_along(const buckets<Width>& b, const cuckoo_search<Width>& path) noexcept {
    bool unbroken = true;
    path.for_each_move([&](const typename cuckoo_search<Width>::move& m) noexcept {
      if (!unbroken) return;
      pair_hold hold(*this, m.from, m.to);
      unbroken = move(b, m, hold);
    });
  }
  // False: somebody changed one of its two buckets since they were read.
  template <class Width, class Hold>
  static bool move(const buckets<Width>& b, const typename cuckoo_search<Width>::move& m,
                   Hold& hold) noexcept {
    const auto from = b.load(m.from, std::memory_order_relaxed);
    const auto room = b.tags().empty(b.load(m.to, std::memory_order_relaxed));
    if (b.tags().get(from, m.slot) != m.tag || room == 0) return false;
    hold.begin_change();
    b.store(m.to, b.tags().first(room), m.tag, stripe::data_store);
    b.store(m.from, m.slot, 0, stripe::data_store);
    return true;
  }

  template <class Width>
  cuckoo_insert insert_alone(const buckets<Width>& b, const place& p,
                             cuckoo_search<Width>& path) noexcept {
    whole_hold hold(*this);
    bool settled = false;
    if (const auto done = insert_if_room(b, p, hold, settled); settled) return done;
    trail ignored;
    if (search_once(b, p, path, ignored) != found::path) return cuckoo_insert::full;
    path.for_each_move([&](const typename cuckoo_search<Width>::move& m) noexcept {
      (void)move(b, m, hold);
    });
    return insert_if_room(b, p, hold, settled);
  }

  cuckoo_probe probe_;
  unsigned shift_ = 0;
};

}  // namespace bloomery::inline v1
