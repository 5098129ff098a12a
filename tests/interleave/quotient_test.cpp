// Protocol 14: the quotient filter, the library's shared_quotient.hpp: readers beside
// writers, across the border of two stripes.
//
// A fingerprint that is in is found, wherever it moves to meanwhile; counts are exact; at
// the end the words are those of the plain filter.
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_quotient.hpp"
#include "quotient_faults.hpp"

namespace interleave::quotient_test {
namespace {

using bloomery::quotient_outcome;

constexpr const char* protocol = "quotient";
constexpr const char* false_negative = "a fingerprint that is in is not found";
constexpr const char* wrong_count = "a count is wrong";
constexpr const char* wrong_words = "the words are not those of the plain filter";
constexpr const char* refused = "a change is refused";

// Slots 509 .. 512 are in use: what is inserted at 510 moves two runs, one of them from
// one stripe to the other, and changes the offset of block 8.
constexpr std::uint64_t before = fingerprint(509, 2), inserted = fingerprint(510, 1),
                        beside = fingerprint(510, 3), moving = fingerprint(511, 2),
                        behind = fingerprint(512, 1), last_one = fingerprint(512, 3),
                        absent = fingerprint(511, 1);

plain_quotient at_border() {
  plain_quotient f;
  f.insert(before).insert(beside).insert(moving).insert(behind);
  return f;
}

// One changes, the other looks for what moves, and counts what was never there.
template <class Stripes>
std::function<program()> moved(bool inserting, std::uint64_t asked,
                               std::uint64_t copies) {
  return [inserting, asked, copies] {
    plain_quotient first = at_border(), last = first;
    (inserting ? last : first).insert(inserted);
    const auto s = std::make_shared<checked_quotient<Stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    program p;
    p.threads.push_back({"writer", [s, inserting] {
                           const auto done = inserting ? s->shared().insert(inserted)
                                                       : s->shared().erase(inserted);
                           require(done == quotient_outcome::done, refused);
                         }});
    p.threads.push_back({"reader", [s, asked, copies] {
                           std::uint64_t n = 0;
                           if (s->shared().count(asked, n)) {
                             require(n >= copies, false_negative);
                             require(n <= copies, wrong_count);
                           }
                         }});
    p.at_end = [s, last] { require(s->is(last), wrong_words); };
    return p;
  };
}

TEST(Quotient, WhatMovesAcrossABorderIsFound) {
  for (const bool inserting : {false, true})
    for (const std::uint64_t asked : {moving, behind, beside})
      expect_holds(protocol, "any", moved<sound_stripes>(inserting, asked, 1));
}
TEST(Quotient, WhatIsNotThereIsNotCounted) {
  for (const bool inserting : {false, true})
    expect_holds(protocol, "any", moved<sound_stripes>(inserting, absent, 0));
}

// As the vector kernel reads: a fence in place of the order of the loads.
struct fenced_loads : faulty_stripes<fenced_loads> {
  using faulty_stripes::faulty_stripes;
  struct reading : sound_reading {
    using sound_reading::sound_reading;
    static constexpr auto load_order = relaxed;
    bool is_whole() const {
      world::now().fence();
      return sound_reading::is_whole();
    }
  };
};
TEST(Quotient, AFenceInPlaceOfOrderedLoads) {
  for (const bool inserting : {false, true})
    for (const std::uint64_t asked : {moving, behind})
      expect_holds(protocol, "any", moved<fenced_loads>(inserting, asked, 1));
}

// May_contain: two attempts, then "possibly present", which is counted.
TEST(Quotient, GivesUpAndSaysSo) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<checked_quotient<sound_stripes>>(
        at_border(), std::initializer_list<std::uint64_t>{7, 8});
    return program{{{"writer", [s] { (void)s->shared().insert(inserted); }},
                    {"reader", [s] {
                       require(s->shared().may_contain(moving), false_negative);
                       if (s->shared().may_contain(absent))
                         require(s->stripes.given_up() != 0,
                                 "\"possibly present\" without a count");
                     }}}};
  });
}

// Who has inserted finds it, whatever another does beside it.
TEST(Quotient, AnInsertIsFoundOnceItHasReturned) {
  for (const bool erasing : {false, true})
    expect_holds(protocol, "any", [erasing] {
      plain_quotient first = at_border(), last;
      last = first;
      last.insert(inserted);
      erasing ? last.erase(before) : last.insert(last_one);
      const auto s = std::make_shared<checked_quotient<sound_stripes>>(
          first, std::initializer_list<std::uint64_t>{7, 8});
      program p;
      p.threads.push_back(
          {"inserts", [s] {
             require(s->shared().insert(inserted) == quotient_outcome::done, refused);
             require(s->shared().may_contain(inserted), false_negative);
           }});
      p.threads.push_back({"other", [s, erasing] {
                             const auto done = erasing ? s->shared().erase(before)
                                                       : s->shared().insert(last_one);
                             require(done == quotient_outcome::done, refused);
                           }});
      p.at_end = [s, last] { require(s->is(last), wrong_words); };
      return p;
    });
}
// The run that is asked for lies behind the border; what changes there, but for it, is
// behind the run.
TEST(Quotient, AWriterBehindTheRun) {
  for (const bool erasing : {false, true})
    expect_holds(protocol, "any", [erasing] {
      plain_quotient first = at_border(), last;
      first.insert(inserted);
      if (erasing) first.insert(last_one);
      last = first;
      erasing ? last.erase(last_one) : last.insert(last_one);
      const auto s = std::make_shared<checked_quotient<sound_stripes>>(
          first, std::initializer_list<std::uint64_t>{7, 8});
      return program{{{"writer",
                       [s, erasing] {
                         (void)(erasing ? s->shared().erase(last_one)
                                        : s->shared().insert(last_one));
                       }},
                      {"reader",
                       [s] {
                         std::uint64_t n = 0;
                         require(s->shared().count(moving, n), "a reader gives up");
                         require(n == 1, false_negative);
                       }}},
                     [s, last] { require(s->is(last), wrong_words); }};
    });
}
// A third thread moves that run.
TEST(Quotient, WritersOnBothSides) {
  expect_holds(protocol, "any", [] {
    plain_quotient first = at_border(), last = first;
    last.insert(inserted).insert(last_one);
    const auto s = std::make_shared<checked_quotient<sound_stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    return program{{{"before", [s] { (void)s->shared().insert(inserted); }},
                    {"behind", [s] { (void)s->shared().insert(last_one); }},
                    {"reader",
                     [s] {
                       std::uint64_t n = 0;
                       if (s->shared().count(moving, n)) require(n == 1, false_negative);
                     }}},
                   [s, last] { require(s->is(last), wrong_words); }};
  });
}
// A reader that was told of an insert finds it.
TEST(Quotient, AMessageAndTwoWriters) {
  expect_holds(protocol, "any", [] {
    plain_quotient first = at_border(), last = first;
    last.insert(inserted).erase(before);
    const auto s = std::make_shared<checked_quotient<sound_stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    return program{{{"inserts",
                     [s] {
                       (void)s->shared().insert(inserted);
                       s->done[0].send();
                     }},
                    {"erases", [s] { (void)s->shared().erase(before); }},
                    {"reader",
                     [s] {
                       if (s->done[0].received() != 0)
                         require(s->shared().may_contain(inserted), false_negative);
                     }}},
                   [s, last] { require(s->is(last), wrong_words); }};
  });
}

// Two writers on both sides of the border.
template <class Stripes>
std::function<program()> two_writers(std::uint64_t one, std::uint64_t two, bool erasing) {
  return [one, two, erasing] {
    plain_quotient first = at_border(), last;
    if (erasing) first.insert(two);
    last = first;
    last.insert(one);
    erasing ? last.erase(two) : last.insert(two);
    const auto s = std::make_shared<checked_quotient<Stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    return program{
        {{"inserts",
          [s, one] {
            require(s->shared().insert(one) == quotient_outcome::done, refused);
          }},
         {"other",
          [s, two, erasing] {
            const auto done = erasing ? s->shared().erase(two) : s->shared().insert(two);
            require(done == quotient_outcome::done, refused);
          }}},
        [s, last] { require(s->is(last), wrong_words); }};
  };
}

TEST(Quotient, TwoWriters) {
  for (const bool erasing : {false, true}) {
    expect_holds(protocol, "any",
                 two_writers<sound_stripes>(inserted, last_one, erasing));
    expect_holds(protocol, "any", two_writers<sound_stripes>(inserted, before, erasing));
    // The same fingerprint: a second copy, or none.
    expect_holds(protocol, "any", two_writers<sound_stripes>(moving, moving, erasing));
  }
}

// An erase of what is not there, and a full filter, change nothing.
TEST(Quotient, ARefusalChangesNothing) {
  expect_holds(protocol, "any", [] {
    plain_quotient first;
    for (std::uint64_t q = 1018; q < 1024; ++q) first.insert(fingerprint(q, 1));
    const auto s = std::make_shared<checked_quotient<sound_stripes>>(
        first, std::initializer_list<std::uint64_t>{});
    return program{
        {{"inserts",
          [s] {
            require(s->shared().insert(fingerprint(1020, 2)) == quotient_outcome::full,
                    "a key is inserted without room");
          }},
         {"erases",
          [s] {
            require(
                s->shared().erase(fingerprint(1021, 3)) == quotient_outcome::not_present,
                "a key is erased that is not there");
          }},
         {"reader",
          [s] {
            require(s->shared().may_contain(fingerprint(1022, 1)), false_negative);
          }}},
        [s, first] { require(s->is(first), wrong_words); }};
  });
}

// --- saturated offsets ---

// The quotients of blocks 4 .. 7 have two slots each: runs of block 8 begin at slot 768,
// and that is known only from block 7, of the other stripe.
constexpr std::uint64_t far = fingerprint(512, 2), farther = fingerprint(513, 1),
                        earlier = fingerprint(511, 0);
plain_quotient saturated() {
  plain_quotient f;
  for (std::uint64_t q = 256; q < 512; ++q)
    f.insert(fingerprint(q, 0)).insert(fingerprint(q, 3));
  return f.insert(far);
}

// One erases a slot before it; the other asks, or inserts behind it.
template <class Stripes>
std::function<program()> displaced(bool inserting) {
  return [inserting] {
    plain_quotient first = saturated(), last = first;
    last.erase(earlier);
    if (inserting) last.insert(farther);
    const auto s = std::make_shared<checked_quotient<Stripes>>(
        first, std::initializer_list<std::uint64_t>{8, 11, 12});
    program p;
    p.threads.push_back({"erases", [s] {
                           require(s->shared().erase(earlier) == quotient_outcome::done,
                                   refused);
                         }});
    if (inserting)
      p.threads.push_back(
          {"inserts", [s] {
             require(s->shared().insert(farther) == quotient_outcome::done, refused);
           }});
    else
      p.threads.push_back({"reader", [s] {
                             std::uint64_t n = 0;
                             if (s->shared().count(far, n))
                               require(n == 1, false_negative);
                           }});
    p.at_end = [s, last] { require(s->is(last), wrong_words); };
    return p;
  };
}

// The offset of block 8 depends on block 7, where one changes a run that none behind it
// moves for; the other walks over it.
constexpr std::uint64_t on_the_way = fingerprint(450, 1);
plain_quotient saturated_by_the_last() {
  plain_quotient f;
  for (std::uint64_t q = 460; q < 512; ++q)
    for (const std::uint64_t x : {0u, 0u, 1u, 1u, 3u, 3u}) f.insert(fingerprint(q, x));
  return f.insert(far);
}
template <class Stripes>
std::function<program()> walked_over(bool inserting) {
  return [inserting] {
    plain_quotient first = saturated_by_the_last(), last = first;
    last.insert(on_the_way);
    if (inserting) last.insert(farther);
    const auto s = std::make_shared<checked_quotient<Stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8, 12});
    program p;
    p.threads.push_back({"on the way", [s] { (void)s->shared().insert(on_the_way); }});
    if (inserting)
      p.threads.push_back({"inserts", [s] { (void)s->shared().insert(farther); }});
    else
      p.threads.push_back({"reader", [s] {
                             std::uint64_t n = 0;
                             if (s->shared().count(far, n))
                               require(n == 1, false_negative);
                           }});
    p.at_end = [s, last] { require(s->is(last), wrong_words); };
    return p;
  };
}

TEST(Quotient, ASaturatedOffset) {
  for (const bool inserting : {false, true}) {
    expect_holds(protocol, "any", displaced<sound_stripes>(inserting));
    expect_holds(protocol, "any", walked_over<sound_stripes>(inserting));
  }
}

// --- faults ---

template <class Stripes>
void reader_caught(const char* fault, bool inserting, std::uint64_t asked = moving) {
  expect_caught(protocol, "any", fault, false_negative,
                moved<Stripes>(inserting, asked, 1));
}

TEST(QuotientBroken, Readers) {
  reader_caught<without_second_look>("no second look at the versions", true);
  reader_caught<checks_where_the_run_is>("the version where the run is, not at home",
                                         false);
  reader_caught<does_not_mind_a_writer>("does not mind a stripe that is held", false);
  reader_caught<relaxed_loads>("relaxed loads of the data", true);
  expect_caught(protocol, "any", "an earlier stripe without its version", false_negative,
                walked_over<no_earlier_version>(false));
}

TEST(QuotientBroken, Writers) {
  reader_caught<relaxed_stores>("relaxed stores of the data", true);
  reader_caught<same_version_after>("the version is the same after a change", true);
  reader_caught<unlocks_before_the_last_store>("unlocks before the last store", true,
                                               behind);
  reader_caught<unlocks_before_it_locks>("lets go of a stripe when it goes on", true);
  expect_caught(protocol, "any", "holds the home stripe only", wrong_words,
                two_writers<home_stripe_only>(inserted, last_one, false));
  expect_caught(protocol, "any", "reads an earlier stripe without its lock", wrong_words,
                walked_over<no_earlier_lock>(true));
}

TEST(QuotientBroken, LockOrder) {
  expect_caught(protocol, "any", "locks an earlier stripe as it goes", "deadlock",
                displaced<locks_earlier_at_once>(true));
}

}  // namespace
}  // namespace interleave::quotient_test
