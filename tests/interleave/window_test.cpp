// Protocol 7: a window over epochs.
//
// Generations go round in a ring: `retained` + 1 are listed in the published roster, one
// is the spare, clean.  advance() publishes a roster in which the spare is current and
// the oldest is no longer listed; when nobody uses an older roster it cleans the oldest,
// which is the next spare.  A key inserted in epoch e is found in the epochs e .. e +
// retained, and in none after.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/rcu_ptr.hpp>

#include "check.hpp"
#include "full.hpp"
#include "split_rcu_ptr.hpp"
#include "toy_filter.hpp"

namespace interleave::window_test {
namespace {

constexpr const char* protocol = "window";
constexpr const char* too_early = "a key is gone before its time";
constexpr const char* too_late = "a key is found after its time";
constexpr std::uint64_t key = 1;

struct generation {
  atomic<std::uint64_t> keys{0, "generation"};
};

template <unsigned Retained>
struct roster {
  plain<unsigned> epoch;
  std::array<plain<generation*>, Retained + 1> listed;  // the current one first
  explicit roster(unsigned e) : epoch(e, "epoch") {}
};

struct nothing {};

template <unsigned Retained, class Platform>
struct real_pointer : bloomery::rcu_ptr<roster<Retained>, nothing, Platform> {
  using base = bloomery::rcu_ptr<roster<Retained>, nothing, Platform>;
  real_pointer(roster<Retained>* first, unsigned own) : base(*base::make(first, own)) {}
};

template <unsigned Retained, class Pointer>
struct window {
  static constexpr unsigned ring_size = Retained + 2;
  using list = roster<Retained>;

  std::array<generation*, ring_size> ring = [] {
    std::array<generation*, ring_size> all{};
    for (auto& g : all) g = interleave::make<generation>("generation");
    return all;
  }();
  Pointer now{list_of(0), 2};
  signal inserted;  // 1 + the epoch

  // The generation of epoch e is ring[e % ring_size].  Before the first epoch there were
  // others, as clean.
  list* list_of(unsigned e) const {
    auto* const made = interleave::make<list>("roster", e);
    for (unsigned i = 0; i <= Retained; ++i)
      made->listed[i].set(ring[(e + ring_size - i) % ring_size]);
    return made;
  }

  // The epoch it ran in.
  unsigned insert() {
    const auto r = now.read();
    r->listed[0].get()->keys.fetch_or(key, relaxed);
    return r->epoch.get();
  }

  void look_up() const {
    const unsigned told = inserted.received();
    const auto r = now.read();
    const unsigned here = r->epoch.get();
    bool found = false;
    for (const auto& g : r->listed)
      found = (g.get()->keys.load(relaxed) & key) != 0 || found;
    if (told == 0) return;
    require(here + 1 >= told, "an epoch goes backwards");
    if (here <= told - 1 + Retained)
      require(found, too_early);
    else
      require(!found, too_late);
  }

  void clean(unsigned e) { ring[e % ring_size]->keys.store(0, relaxed); }

  // From epoch e to the next.  e + 1 - (Retained + 1) expires: (e + 2) % ring_size.
  void advance(unsigned e) {
    free(now.replace(list_of(e + 1)));
    clean(e + 2);
  }
};

template <class Window>
std::function<program()> under_load(unsigned advances, unsigned lookups = 1) {
  return [=] {
    const auto w = std::make_shared<Window>();
    return program{{{"inserter", [w] { w->inserted.send(w->insert() + 1); }},
                    {"reader",
                     [w, lookups] {
                       for (unsigned n = 0; n < lookups; ++n) w->look_up();
                     }},
                    {"clock",
                     [w, advances] {
                       for (unsigned e = 0; e < advances; ++e) w->advance(e);
                     }}},
                   [w] { w->look_up(); }};
  };
}

template <unsigned Retained, class Platform>
using real_window = window<Retained, real_pointer<Retained, Platform>>;

template <class Platform>
class Window : public ::testing::Test {};
using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(Window, machines);

TYPED_TEST(Window, OneEpoch) {
  expect_holds(protocol, TypeParam::name, under_load<real_window<0, TypeParam>>(1));
  expect_holds(protocol, TypeParam::name, under_load<real_window<0, TypeParam>>(2));
}

TYPED_TEST(Window, TwoEpochs) {
  expect_holds(protocol, TypeParam::name, under_load<real_window<1, TypeParam>>(2));
}

template <class Platform>
class WindowFull : public ::testing::Test {};
TYPED_TEST_SUITE(WindowFull, machines);

TYPED_TEST(WindowFull, OnceRoundTheRing) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name, under_load<real_window<1, TypeParam>>(3));
}

TYPED_TEST(WindowFull, TwoLookups) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name, under_load<real_window<0, TypeParam>>(2, 2));
}

template <unsigned Retained>
using sound = window<Retained, split_rcu_ptr<roster<Retained>, membarrier_machine>>;

template <unsigned Retained>
struct cleans_before_it_waits : sound<Retained> {
  void advance(unsigned e) {
    auto* const old = this->now.exchange(this->list_of(e + 1));
    this->clean(e + 2);
    this->now.wait();
    free(old);
  }
};

template <unsigned Retained>
struct cleans_before_it_publishes : sound<Retained> {
  void advance(unsigned e) {
    this->clean(e + 2);
    free(this->now.replace(this->list_of(e + 1)));
  }
};

template <unsigned Retained>
struct never_cleans : sound<Retained> {
  void advance(unsigned e) { free(this->now.replace(this->list_of(e + 1))); }
};

TEST(WindowBroken, CleansBeforeItWaits) {
  expect_caught(protocol, membarrier_machine::name, "cleans before it waits", "a key is",
                under_load<cleans_before_it_waits<0>>(2));
}

TEST(WindowBroken, CleansBeforeItPublishes) {
  expect_caught(protocol, membarrier_machine::name, "cleans before it publishes",
                too_early, under_load<cleans_before_it_publishes<0>>(1));
}

TEST(WindowBroken, NeverCleans) {
  expect_caught(protocol, membarrier_machine::name, "the expired one serves uncleaned",
                too_late, under_load<never_cleans<0>>(2));
}

}  // namespace
}  // namespace interleave::window_test
