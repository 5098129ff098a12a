// Protocol 15: a copy of a quotient filter, taken while others write.
//
// The copy is the filter of one moment: its words are those of the plain filter before a
// change or after it, and it has what happened before it began.
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_quotient.hpp"
#include "full.hpp"
#include "quotient_faults.hpp"

namespace interleave::quotient_copy_test {
namespace {

constexpr const char* protocol = "quotient copy";
constexpr const char* torn = "the copy is of no moment";
constexpr const char* late = "the copy lacks what happened before";

// Slots 510 and 511 are in use: what is inserted moves the last to slot 512.
constexpr std::uint64_t inserted = fingerprint(510, 1), behind = fingerprint(512, 1);

plain_quotient at_border() {
  plain_quotient f;
  f.insert(fingerprint(510, 3)).insert(fingerprint(511, 2));
  return f;
}

template <class Stripes>
std::function<program()> while_it_changes(bool inserting) {
  return [inserting] {
    plain_quotient first = at_border(), last = first;
    (inserting ? last : first).insert(inserted);
    const auto s = std::make_shared<checked_quotient<Stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    return program{{{"writer",
                     [s, inserting] {
                       (void)(inserting ? s->shared().insert(inserted)
                                        : s->shared().erase(inserted));
                       s->done[0].send();
                     }},
                    {"copier",
                     [s] {
                       s->told[0] = s->done[0].received();
                       (void)s->stripes.copy(s->copied.data());
                     }}},
                   [s, first, last] {
                     require(s->is(last), "the words are not those of the plain filter");
                     require(s->copy_is(first) || s->copy_is(last), torn);
                     require(s->told[0] == 0 || s->copy_is(last), late);
                   }};
  };
}

TEST(QuotientCopy, IsOfOneMoment) {
  for (const bool inserting : {false, true})
    expect_holds(protocol, "any", while_it_changes<sound_stripes>(inserting));
}

// Two writers: the second changes what the first has moved.
TEST(QuotientCopyFull, BesideTwoWriters) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, "any", [] {
    const plain_quotient first = at_border();
    plain_quotient one = first, two = first, both = first;
    one.insert(inserted);
    two.insert(behind);
    both.insert(inserted).insert(behind);
    const auto s = std::make_shared<checked_quotient<sound_stripes>>(
        first, std::initializer_list<std::uint64_t>{7, 8});
    return program{{{"one", [s] { (void)s->shared().insert(inserted); }},
                    {"two", [s] { (void)s->shared().insert(behind); }},
                    {"copier", [s] { (void)s->stripes.copy(s->copied.data()); }}},
                   [s, first, one, two, both] {
                     require(s->is(both), "the words are not those of the plain filter");
                     require(s->copy_is(first) || s->copy_is(one) || s->copy_is(two) ||
                                 s->copy_is(both),
                             torn);
                   }};
  });
}

// --- faults ---

struct word_by_word : faulty_stripes<word_by_word> {
  using faulty_stripes::faulty_stripes;
  bool copy(plain<std::uint64_t>* to) const {
    words().copy(to, 0, quotient_words);
    return true;
  }
};
// Each stripe whole, but no two of one moment.
struct stripe_by_stripe : faulty_stripes<stripe_by_stripe> {
  using faulty_stripes::faulty_stripes;
  bool copy(plain<std::uint64_t>* to) const {
    for (std::size_t s = 0; s < 2; ++s) {
      stripes_[s].lock();
      pieces_.for_each(s, [&](std::uint64_t first, std::uint64_t count) {
        words().copy(to, first, count);
      });
      stripes_[s].unlock_unchanged();
    }
    return true;
  }
};

// Writers that begin a change as Fault::begin says.
struct copies_before {
  std::uint64_t copies;  // begun before the first lock
};
template <class Fault>
struct begins_by_itself : faulty_stripes<Fault> {
  using faulty_stripes<Fault>::faulty_stripes;
  struct extent : copies_before, sound_stripes::extent {
    extent(const Fault& all, std::size_t first)
        : copies_before{all.epoch()}, sound_stripes::extent(all, first), fault_(all) {}
    void change() {
      if (!this->changed_) fault_.begin(this->low_, this->high_, copies);
      this->changed_ = true;
    }

   private:
    const Fault& fault_;
  };
};
struct keeps_one_stripe : begins_by_itself<keeps_one_stripe> {
  using begins_by_itself::begins_by_itself;
  void begin(std::size_t low, std::size_t, std::uint64_t) const { keep(low, epoch()); }
};
// A copy may begin between the two questions.
struct asks_for_each_stripe : begins_by_itself<asks_for_each_stripe> {
  using begins_by_itself::begins_by_itself;
  void begin(std::size_t low, std::size_t high, std::uint64_t) const {
    for (std::size_t s = low; s < high; ++s) keep(s, epoch());
  }
};
struct asks_before_it_locks : begins_by_itself<asks_before_it_locks> {
  using begins_by_itself::begins_by_itself;
  void begin(std::size_t low, std::size_t high, std::uint64_t copies) const {
    if (copies == 0) return;
    for (std::size_t s = low; s < high; ++s) keep(s, copies);
  }
};

template <class Stripes>
void caught(const char* fault, bool inserting = true) {
  expect_caught(protocol, "any", fault, torn, while_it_changes<Stripes>(inserting));
}

TEST(QuotientCopyBroken, PieceByPiece) {
  caught<word_by_word>("word by word");
  caught<stripe_by_stripe>("stripe by stripe");
  caught<stripe_by_stripe>("stripe by stripe, an erase", false);
}
TEST(QuotientCopyBroken, Writers) {
  caught<keeps_one_stripe>("a writer keeps one of its stripes");
  caught<asks_for_each_stripe>("asks for each stripe whether a copy began");
  caught<asks_before_it_locks>("looks for a copy before it locks");
}

}  // namespace
}  // namespace interleave::quotient_copy_test
