// Protocol 10: the cuckoo filter, the library's shared_cuckoo.hpp: readers beside
// writers.
//
// A tag that is in is found, wherever it moves to meanwhile; a refused key leaves no tag;
// every tag is in its buckets as often as it was inserted and not erased.
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_cuckoo.hpp"
#include "full.hpp"
#include "open_cuckoo.hpp"

namespace interleave::cuckoo_test {
namespace {

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

}  // namespace
}  // namespace interleave::cuckoo_test
