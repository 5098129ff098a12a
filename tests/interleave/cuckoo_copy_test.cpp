// Protocol 11: a copy of a cuckoo filter, taken while others write.
//
// The copy is the filter of one moment: it has what happened before it began, and a tag
// that moves meanwhile exactly as often as the filter has it.  No write is in it in part.
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_cuckoo.hpp"
#include "full.hpp"

namespace interleave::cuckoo_copy_test {
namespace {

constexpr const char* protocol = "cuckoo copy";
constexpr const char* lost = "a tag is not in the copy";
constexpr const char* doubled = "a tag is in the copy twice";

constexpr cuckoo_place moving = across(2, 0), beside = across(18, 1);

struct sound : cuckoo_of<1, 1> {
  using base = cuckoo_of<1, 1>;
  using six = buckets<bloomery::fixed_tags<6>>;

  explicit sound(base&& b) : base(std::move(b)) {}
  static bloomery::result<sound> make(const checked_words& w,
                                      const bloomery::cuckoo_probe& p) {
    return sound(*base::make(w, p));
  }
  void move(bool forth) {
    const six b(words(), six_bits);
    const auto [from, to] = forth ? std::pair(moving.first, moving.second)
                                  : std::pair(moving.second, moving.first);
    pair_hold hold(*this, from, to);
    (void)base::move(b, {from, to, 0, moving.tag}, hold);
  }
  void take_copy(plain<std::uint64_t>* to) { copy(to); }
};

// A tag moves while the filter is copied.
template <class Filter>
std::function<program()> while_it_moves(bool forth, bool again) {
  return [forth, again] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(forth ? moving.first : moving.second, 0, moving.tag);
    return program{{{"mover",
                     [s, forth, again] {
                       s->filter.move(forth);
                       if (again) s->filter.move(!forth);
                     }},
                    {"copier", [s] { s->filter.take_copy(s->copied.data()); }}},
                   [s] {
                     require(s->count(moving) == 1, "a tag is lost");
                     require(s->count_copied(moving) >= 1, lost);
                     require(s->count_copied(moving) <= 1, doubled);
                   }};
  };
}

// One inserts, and says so; the copy that begins after that has the key.
template <class Filter>
std::function<program()> after_an_insert(bool mover) {
  return [mover] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(moving.first, 0, moving.tag);
    program p;
    p.threads.push_back({"inserts", [s] {
                           (void)s->filter.insert(six_bits, beside);
                           s->done[0].send();
                         }});
    if (mover) p.threads.push_back({"mover", [s] { s->filter.move(true); }});
    p.threads.push_back({"copier", [s] {
                           s->told[0] = s->done[0].received();
                           s->filter.take_copy(s->copied.data());
                         }});
    p.at_end = [s] {
      require(s->count_copied(beside) >= s->told[0], lost);
      require(s->count_copied(beside) <= 1, doubled);
      require(s->count_copied(moving) == 1, lost);
    };
    return p;
  };
}

TEST(CuckooCopy, IsOfOneMoment) {
  for (const bool forth : {false, true})
    expect_holds(protocol, "any", while_it_moves<sound>(forth, false));
  expect_holds(protocol, "any", while_it_moves<sound>(true, true));
}

TEST(CuckooCopy, HasWhatHappenedBefore) {
  expect_holds(protocol, "any", after_an_insert<sound>(false));
}
TEST(CuckooCopyFull, HasWhatHappenedBefore) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, "any", after_an_insert<sound>(true));
}

// The second begins when the first has ended; nobody writes to the memory of the first.
TEST(CuckooCopyFull, TwoCopies) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<checked_cuckoo<sound>>();
    s->put(moving.first, 0, moving.tag);
    return program{{{"mover", [s] { s->filter.move(true); }},
                    {"copier", [s] {
                       s->filter.take_copy(s->copied.data());
                       require(s->count_copied(moving) == 1, lost);
                       s->filter.take_copy(s->copied.data());
                       require(s->count_copied(moving) == 1, lost);
                     }}}};
  });
}

template <class Make>
struct variant : sound {
  explicit variant(sound&& s) : sound(std::move(s)) {}
  static bloomery::result<Make> make(const checked_words& w,
                                     const bloomery::cuckoo_probe& p) {
    return Make(*sound::make(w, p));
  }
};

// As of a Bloom filter: one word after the other.
struct word_by_word : variant<word_by_word> {
  using variant::variant;
  void take_copy(plain<std::uint64_t>* to) { words().copy(to, 0, cuckoo_words); }
};
// Each stripe whole, but no two of one moment.
struct stripe_by_stripe : variant<stripe_by_stripe> {
  using variant::variant;
  void take_copy(plain<std::uint64_t>* to) {
    for (std::size_t s = 0; s < 2; ++s) {
      stripes_[s].lock();
      words().copy(to, 6 * s, 6);
      stripes_[s].unlock_unchanged();
    }
  }
};
// The writer keeps the stripe it moves from, not the one it moves to.
struct keeps_one_stripe : variant<keeps_one_stripe> {
  using variant::variant;
  void move(bool forth) {
    const six b(words(), six_bits);
    const auto from = forth ? moving.first : moving.second;
    const auto to = forth ? moving.second : moving.first;
    pair_hold hold(*this, from, to);
    keep(number_of(from), epoch());
    b.store(to, 0, moving.tag, release);
    b.store(from, 0, 0, release);
  }
};
// A copy may begin between the two questions: half of the move would be in it.
struct asks_twice : variant<asks_twice> {
  using variant::variant;
  void move(bool forth) {
    const six b(words(), six_bits);
    const auto from = forth ? moving.first : moving.second;
    const auto to = forth ? moving.second : moving.first;
    pair_hold hold(*this, from, to);
    keep(number_of(from), epoch());
    keep(number_of(to), epoch());
    b.store(to, 0, moving.tag, release);
    b.store(from, 0, 0, release);
  }
};
// Looks whether a copy has begun before it has the locks.
struct looks_before_it_locks : variant<looks_before_it_locks> {
  using variant::variant;
  void move(bool forth) {
    const six b(words(), six_bits);
    const auto from = forth ? moving.first : moving.second;
    const auto to = forth ? moving.second : moving.first;
    const bool copying = control_[0].epoch.load(acquire) != 0;
    pair_hold hold(*this, from, to);
    if (copying) hold.begin_change();
    b.store(to, 0, moving.tag, release);
    b.store(from, 0, 0, release);
  }
};

template <class Filter>
void caught(const char* fault, const char* what, bool forth) {
  expect_caught(protocol, "any", fault, what, while_it_moves<Filter>(forth, false));
}

TEST(CuckooCopyBroken, PieceByPiece) {
  caught<word_by_word>("word by word", doubled, false);
  caught<stripe_by_stripe>("stripe by stripe", lost, false);
  caught<stripe_by_stripe>("stripe by stripe, the other way", doubled, true);
}
TEST(CuckooCopyBroken, Writers) {
  caught<keeps_one_stripe>("a writer keeps one of its stripes", doubled, true);
  caught<asks_twice>("asks for each stripe whether a copy began", lost, true);
  caught<looks_before_it_locks>("looks for a copy before it locks", lost, false);
}

}  // namespace
}  // namespace interleave::cuckoo_copy_test
