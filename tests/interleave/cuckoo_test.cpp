// Protocol 10: the cuckoo filter, the library's shared_cuckoo.hpp: readers beside
// writers.
//
// A tag that is in is found, wherever it moves to meanwhile; a refused key leaves no tag;
// every tag is in its buckets as often as it was inserted and not erased.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_cuckoo.hpp"
#include "full.hpp"

namespace interleave::cuckoo_test {
namespace {

using bloomery::cuckoo_insert;

constexpr const char* protocol = "cuckoo";
constexpr const char* false_negative = "a tag that is in is not found";
constexpr const char* lost = "a tag is lost";
constexpr const char* doubled = "a tag is there twice";
constexpr const char* refused = "a key is refused though there is room";

// Bucket 2 lies in two words.  One that can move, one that shares its first bucket.
constexpr cuckoo_place moving = across(2, 0), beside = across(2, 1);
static_assert(moving.tag != 0 && beside.tag != 0 && moving.second != beside.second);

// With the parts of an insert as calls.
template <unsigned Tries = 2, unsigned Rounds = 2>
struct open : cuckoo_of<Tries, Rounds> {
  using base = cuckoo_of<Tries, Rounds>;
  using search = bloomery::cuckoo_search<bloomery::fixed_tags<6>>;

  explicit open(base&& b) : base(std::move(b)) {}
  static bloomery::result<open> make(const checked_words& w,
                                     const bloomery::cuckoo_probe& p) {
    return open(*base::make(w, p));
  }

  // From its first bucket, slot 0, or from its second.
  void move(const cuckoo_place& p, bool forth) {
    const typename base::template buckets<bloomery::fixed_tags<6>> b(this->words(),
                                                                     six_bits);
    const auto [from, to] =
        forth ? std::pair(p.first, p.second) : std::pair(p.second, p.first);
    typename base::pair_hold hold(*this, from, to);
    (void)base::move(b, {from, to, 0, p.tag}, hold);
  }
  bool has(const cuckoo_place& p) const { return base::has(six_bits, p); }
  cuckoo_insert insert(const cuckoo_place& p) { return base::insert(six_bits, p); }
  bool erase(const cuckoo_place& p) { return base::erase(six_bits, p); }
};
using sound = open<>;

// A tag moves, forth or back or both; a reader looks for it.
template <class Filter>
std::function<program()> moved(bool forth, bool again) {
  return [forth, again] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(forth ? moving.first : moving.second, 0, moving.tag);
    program p;
    p.threads.push_back({"mover", [s, forth, again] {
                           s->filter.move(moving, forth);
                           if (again) s->filter.move(moving, !forth);
                         }});
    p.threads.push_back(
        {"reader", [s] { require(s->filter.has(moving), false_negative); }});
    p.at_end = [s] { require(s->count(moving) == 1, lost); };
    return p;
  };
}

TEST(Cuckoo, AMovingTagIsFound) {
  for (const bool forth : {false, true})
    for (const bool again : {false, true})
      expect_holds(protocol, "any", moved<sound>(forth, again));
}

// An insert beside an erase and a move in the same words; a reader that was told of the
// insert finds it.
TEST(Cuckoo, AnInsertIsFoundOnceItHasReturned) {
  for (const bool erasing : {false, true})
    expect_holds(protocol, "any", [erasing] {
      const auto s = std::make_shared<checked_cuckoo<sound>>();
      s->put(moving.first, 0, moving.tag);
      program p;
      p.threads.push_back({"inserts", [s] {
                             require(s->filter.insert(beside) == cuckoo_insert::done,
                                     refused);
                             s->done[0].send();
                           }});
      p.threads.push_back({"other", [s, erasing] {
                             if (erasing)
                               require(s->filter.erase(moving), lost);
                             else
                               s->filter.move(moving, true);
                           }});
      p.threads.push_back({"reader", [s] {
                             if (s->done[0].received() != 0)
                               require(s->filter.has(beside), false_negative);
                           }});
      p.at_end = [s, erasing] {
        require(s->count(beside) == 1, lost);
        require(s->count(moving) == (erasing ? 0 : 1), lost);
      };
      return p;
    });
}

// Two keys, one bucket, one empty slot in it: the other goes elsewhere.
TEST(Cuckoo, TwoInsertersOfOneSlot) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<checked_cuckoo<sound>>();
    s->fill(moving.first, 1, 63);
    program p;
    for (const cuckoo_place& k : {moving, beside})
      p.threads.push_back({"inserts", [s, k] {
                             require(s->filter.insert(k) == cuckoo_insert::done, refused);
                             require(s->filter.has(k), false_negative);
                           }});
    p.at_end = [s] { require(s->count(moving) == 1 && s->count(beside) == 1, lost); };
    return p;
  });
}

// Both buckets of a key are full; to make room a tag must move.  `key` has the buckets of
// `moving`, whose tag lies in the first of them, and which lies behind tags that cannot
// move: their other buckets are full.
struct crowd {
  cuckoo_place key, mover;   // share the bucket key.first
  std::uint64_t key_second;  // is full
};
constexpr crowd crowded() {
  const cuckoo_place key = across(2, 0);
  return {key, across(2, 1), key.second};
}

template <class Bench>
void prepare(Bench& s) {
  constexpr crowd c = crowded();
  s.put(c.key.first, 0, c.mover.tag);
  // Tags whose other buckets come later in the search; room is found for the mover first.
  s.fill(c.key.first, 1, c.mover.tag);
  s.fill(c.key_second, 0, across(c.key_second, 2).tag);
}

TEST(Cuckoo, MakesRoomBesideAReader) {
  constexpr crowd c = crowded();
  expect_holds(protocol, "any", [c] {
    const auto s = std::make_shared<checked_cuckoo<open<1, 1>>>();
    prepare(*s);
    return program{
        {{"inserts", [s, c] { (void)s->filter.insert(c.key); }},
         {"reader", [s, c] { require(s->filter.has(c.mover), false_negative); }}},
        [s, c] {
          require(s->count(c.mover) == 4, lost);
          require(s->count(c.key) == 1, refused);
        }};
  });
}

// Beside one who erases what is to move: the search is outdated.
TEST(Cuckoo, MakesRoomBesideAnErase) {
  constexpr crowd c = crowded();
  expect_holds(protocol, "any", [c] {
    const auto s = std::make_shared<checked_cuckoo<open<1, 1>>>();
    prepare(*s);
    return program{
        {{"inserts",
          [s, c] { require(s->filter.insert(c.key) == cuckoo_insert::done, refused); }},
         {"erases", [s, c] { require(s->filter.erase(c.mover), false_negative); }}},
        [s, c] {
          require(s->count(c.mover) == 3, lost);
          require(s->count(c.key) == 1, lost);
        }};
  });
}

// Beside one who moves a tag into the bucket that has room.
TEST(CuckooFull, MakesRoomBesideAMove) {
  BLOOMERY_FULL_ONLY();
  constexpr crowd c = crowded();
  constexpr cuckoo_place other = across(c.mover.second, 3);
  static_assert(other.second != c.key.first && other.second != c.key_second);
  expect_holds(protocol, "any", [c, other] {
    const auto s = std::make_shared<checked_cuckoo<open<1, 1>>>();
    prepare(*s);
    s->put(other.second, 0, other.tag);
    s->fill(c.mover.second, 1, 63);
    return program{
        {{"inserts", [s, c] { (void)s->filter.insert(c.key); }},
         {"mover", [s, other] { s->filter.move(other, false); }}},
        [s, c, other] { require(s->count(c.mover) == 4 && s->count(other) == 1, lost); }};
  });
}

// Under all stripes at once, from the first attempt on.
TEST(CuckooFull, TheLastResort) {
  BLOOMERY_FULL_ONLY();
  constexpr crowd c = crowded();
  expect_holds(protocol, "any", [c] {
    const auto s = std::make_shared<checked_cuckoo<open<1, 0>>>();
    prepare(*s);
    return program{
        {{"inserts",
          [s, c] { require(s->filter.insert(c.key) == cuckoo_insert::done, refused); }},
         {"erases", [s, c] { require(s->filter.erase(c.mover), false_negative); }},
         {"reader", [s, c] { require(s->filter.has(c.mover), false_negative); }}},
        [s, c] {
          require(s->count(c.mover) == 3, lost);
          require(s->count(c.key) == 1, lost);
        }};
  });
}

// Two buckets, eight equal tags: the ninth is refused, unless one is erased meanwhile.
TEST(Cuckoo, NoNinthCopy) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<checked_cuckoo<sound>>();
    s->fill(moving.first, 0, moving.tag);
    s->fill(moving.second, 0, moving.tag);
    return program{
        {{"inserts",
          [s] {
            const auto done = s->filter.insert(moving);
            require(done != cuckoo_insert::full, refused);
            s->told[0] = done == cuckoo_insert::done ? 1 : 0;
          }},
         {"erases", [s] { require(s->filter.erase(moving), false_negative); }}},
        [s] { require(s->count(moving) == 7 + s->told[0], lost); }};
  });
}

// --- faults ---

struct without_versions : sound {
  using sound::sound;
  static bloomery::result<without_versions> make(const checked_words& w,
                                                 const bloomery::cuckoo_probe& p) {
    return without_versions(*sound::make(w, p));
  }
  explicit without_versions(sound&& s) : sound(std::move(s)) {}
  bool has(const cuckoo_place& p) const {
    const buckets<bloomery::fixed_tags<6>> b(words(), six_bits);
    const auto x = b.load(p.first, acquire);
    const auto y = b.load(p.second, acquire);
    return b.tags().has(x, y, p.tag);
  }
};

template <class Make>
struct variant : sound {
  explicit variant(sound&& s) : sound(std::move(s)) {}
  static bloomery::result<Make> make(const checked_words& w,
                                     const bloomery::cuckoo_probe& p) {
    return Make(*sound::make(w, p));
  }
  using six = buckets<bloomery::fixed_tags<6>>;
};

// A relaxed load of the data lets the second look at the versions be an early one.
struct relaxed_loads : variant<relaxed_loads> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (int i = 0; i < 2; ++i) {
      const reading now(stripe_of(p.first));
      const auto x = b.load(p.first, relaxed);
      const auto y = b.load(p.second, relaxed);
      if (b.tags().has(x, y, p.tag)) return true;
      if (now.is_whole()) return false;
    }
    return true;
  }
};

// Compares versions, and takes an odd one for as good as an even one.
struct ignores_a_writer : variant<ignores_a_writer> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (int i = 0; i < 2; ++i) {
      const auto v = stripe_of(p.first).version();
      const auto x = b.load(p.first, acquire);
      const auto y = b.load(p.second, acquire);
      if (b.tags().has(x, y, p.tag)) return true;
      if (stripe_of(p.first).is_still(v)) return false;
    }
    return true;
  }
};

// Reads the versions of the two one after the other, each with its bucket.
struct bucket_by_bucket : variant<bucket_by_bucket> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (const std::uint64_t bucket : {p.first, p.second}) {
      const auto& s = stripe_of(bucket);
      bool whole = false;
      for (int i = 0; i < 2 && !whole; ++i) {
        const auto v = s.version();
        if (b.tags().has(b.load(bucket, acquire), p.tag)) return true;
        whole = v % 2 == 0 && s.is_still(v);
      }
      if (!whole) return true;
    }
    return false;
  }
};

// Moves with what the subclass does to the stripes and in what order it stores.
template <class Make, std::memory_order Store>
struct moves_by_itself : variant<Make> {
  using variant<Make>::variant;
  void store(const cuckoo_place& p, bool forth) {
    const typename moves_by_itself::six b(this->words(), six_bits);
    b.store(forth ? p.second : p.first, 0, p.tag, Store);
    b.store(forth ? p.first : p.second, 0, 0, Store);
  }
};

// Copied first, deleted afterwards, and no version.
struct copy_then_clear : moves_by_itself<copy_then_clear, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) { store(p, forth); }
};
struct relaxed_stores : moves_by_itself<relaxed_stores, relaxed> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    pair_hold hold(*this, p.first, p.second);
    hold.begin_change();
    store(p, forth);
  }
};
struct same_version_after : moves_by_itself<same_version_after, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    pair_hold hold(*this, p.first, p.second);
    store(p, forth);
  }
};
// The stripe of the bucket it moves to, then that of the other.
struct one_stripe_after_the_other : moves_by_itself<one_stripe_after_the_other, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    const six b(words(), six_bits);
    const auto [from, to] =
        forth ? std::pair(p.first, p.second) : std::pair(p.second, p.first);
    stripe_of(from).lock();
    b.store(from, 0, 0, release);
    stripe_of(from).unlock();
    stripe_of(to).lock();
    b.store(to, 0, p.tag, release);
    stripe_of(to).unlock();
  }
};

template <class Filter>
void not_found(const char* fault, bool forth = true, bool again = false) {
  expect_caught(protocol, "any", fault, false_negative, moved<Filter>(forth, again));
}

TEST(CuckooBroken, Readers) {
  not_found<without_versions>("a reader without versions", false);
  not_found<without_versions>("a reader without versions, there and back", true, true);
  not_found<ignores_a_writer>("does not mind a stripe that is held", false);
  not_found<relaxed_loads>("relaxed loads of the data");
  not_found<bucket_by_bucket>("a bucket and its version after the other", false);
}

TEST(CuckooBroken, Movers) {
  not_found<copy_then_clear>("copy, then clear, without versions", false);
  not_found<relaxed_stores>("relaxed stores of the data");
  not_found<same_version_after>("the version is the same after a change", false);
  not_found<one_stripe_after_the_other>("one stripe after the other");
}

// In the order of the buckets, not of the stripes.
struct locks_in_any_order : variant<locks_in_any_order> {
  using variant::variant;
  void move(const cuckoo_place& p, bool forth) {
    auto &first = stripe_of(forth ? p.first : p.second),
         &second = stripe_of(forth ? p.second : p.first);
    first.lock();
    second.lock();
    second.unlock_unchanged();
    first.unlock_unchanged();
  }
};

TEST(CuckooBroken, LockOrder) {
  expect_caught(protocol, "any", "stripes locked in any order", "deadlock", [] {
    const auto s = std::make_shared<checked_cuckoo<locks_in_any_order>>();
    return program{{{"forth", [s] { s->filter.move(moving, true); }},
                    {"back", [s] { s->filter.move(moving, false); }}}};
  });
}

// Does what the search said, whatever is there now.
struct does_not_look_again : variant<does_not_look_again> {
  using variant::variant;
  void move(const cuckoo_place& p, bool) {
    const six b(words(), six_bits);
    const auto room = b.tags().empty(b.load(p.second, acquire));
    if (room == 0) return;
    pair_hold hold(*this, p.first, p.second);
    hold.begin_change();
    b.store(p.second, b.tags().first(room), p.tag, release);
    b.store(p.first, 0, 0, release);
  }
};

// Two who move a tag each into the same empty slot; or one moves what another erases.
template <class Filter>
std::function<program()> outdated() {
  return [] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(moving.first, 0, moving.tag);
    return program{{{"moves", [s] { s->filter.move(moving, true); }},
                    {"erases", [s] { s->told[0] = s->filter.erase(moving); }}},
                   [s] { require(s->count(moving) + s->told[0] == 1, doubled); }};
  };
}
TEST(CuckooBroken, NoSecondLook) {
  expect_holds(protocol, "any", outdated<sound>());
  expect_caught(protocol, "any", "moves what was read before the lock", doubled,
                outdated<does_not_look_again>());
}

// Under the stripe of one of its buckets.
struct holds_one_stripe : variant<holds_one_stripe> {
  using variant::variant;
  cuckoo_insert insert(const cuckoo_place& p) {
    pair_hold hold(*this, p.second, p.second);
    bool settled = false;
    return insert_if_room(six(words(), six_bits), p, hold, settled);
  }
};
TEST(CuckooBroken, OneStripe) {
  expect_caught(protocol, "any", "an insert holds one stripe", lost, [] {
    const auto s = std::make_shared<checked_cuckoo<holds_one_stripe>>();
    s->fill(beside.second, 0, 63);
    program p;
    for (const cuckoo_place& k :
         {moving, cuckoo_place{beside.second, beside.first, beside.tag}})
      p.threads.push_back({"inserts", [s, k] { (void)s->filter.insert(k); }});
    p.at_end = [s] { require(s->count(moving) == 1 && s->count(beside) == 1, lost); };
    return p;
  });
}

}  // namespace
}  // namespace interleave::cuckoo_test
