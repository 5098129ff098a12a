// Protocol 8: the kill switch.
//
// While it is thrown every lookup that happens after kill() answers "maybe".  Inserts go
// on, so that nothing is missing after revive().
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "toy_filter.hpp"

namespace interleave::kill_switch_test {
namespace {

constexpr const char* protocol = "kill switch";
constexpr const char* denied = "a killed filter denies a key";
constexpr const char* false_negative = "an insert that happened before is denied";
constexpr toy_key a{{1, 1}}, other{{2, 2}};

struct killable {
  toy_filter filter;
  atomic<unsigned> killed{0, "killed"};
  signal kill_done, revived, inserted;

  void insert(const toy_key& k) { filter.insert(k); }
  bool may_contain(const toy_key& k) const {
    return killed.load(relaxed) != 0 || filter.may_contain(k);
  }
  void kill() { killed.store(1, relaxed); }
  void revive() { killed.store(0, relaxed); }
};

template <class Filter>
program kills() {
  const auto s = std::make_shared<Filter>();
  return {{{"operator",
            [s] {
              s->kill();
              s->kill_done.send();
            }},
           {"inserter", [s] { s->insert(a); }},
           {"reader", [s] {
              if (s->kill_done.received() == 0) return;
              require(s->may_contain(other), denied);
            }}}};
}

template <class Filter>
program kills_and_revives() {
  const auto s = std::make_shared<Filter>();
  return {{{"operator",
            [s] {
              s->kill();
              s->revive();
            }},
           {"inserter",
            [s] {
              s->insert(a);
              s->inserted.send();
            }},
           {"reader",
            [s] {
              if (s->inserted.received() == 0) return;
              require(s->may_contain(a), false_negative);
            }}},
          [s] { require(s->may_contain(a), false_negative); }};
}

TEST(KillSwitch, AnswersMaybe) { expect_holds(protocol, "any", kills<killable>); }

TEST(KillSwitch, KeepsInserts) {
  expect_holds(protocol, "any", kills_and_revives<killable>);
}

struct drops_inserts : killable {
  void insert(const toy_key& k) {
    if (killed.load(relaxed) == 0) filter.insert(k);
  }
};

TEST(KillSwitchBroken, DropsInserts) {
  expect_caught(protocol, "any", "inserts dropped while killed", false_negative,
                kills_and_revives<drops_inserts>);
}

// The answer is looked up first and the switch asked for "no" only: but of the switch as
// it was when the thread last looked.
struct remembers_the_switch : killable {
  mutable plain<unsigned> remembered{0, "remembered"};
  bool may_contain(const toy_key& k) const {
    return remembered.get() != 0 || filter.may_contain(k);
  }
};

TEST(KillSwitchBroken, RemembersTheSwitch) {
  expect_caught(protocol, "any", "the switch is asked once", denied,
                kills<remembers_the_switch>);
}

}  // namespace
}  // namespace interleave::kill_switch_test
