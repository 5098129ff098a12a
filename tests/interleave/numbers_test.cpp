// Protocol 5, as threads end: the library's number_pool below its rcu_domain.
//
// A number passes to another thread when its thread has ended and none of its pins is
// left, in whichever order the two happen; never before.
#include <array>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/rcu_domain.hpp>
#include <bloomery/detail/sync/thread_numbers.hpp>

#include "check.hpp"
#include "full.hpp"
#include "machine.hpp"

namespace interleave::numbers_test {
namespace {

constexpr const char* protocol = "numbers";

// A computer on which threads ask for their numbers, and end.
template <class Machine>
struct ending : Machine {
  struct state;
  static inline state* now = nullptr;
  static bloomery::held_number& mine() { return now->of[world::now().me()]; }

  static unsigned thread_number() noexcept {
    if (mine().number == bloomery::held_number::none) now->pool.take(mine());
    return static_cast<unsigned>(mine().number);
  }
  static std::int32_t thread_number_if_any() noexcept { return mine().number; }
  static void hold_number() noexcept { mine().hold(); }
  static void release_number() noexcept {
    if (mine().release()) now->pool.give_back(mine());
  }
  // The destructor of the thread_local that stands for the number.
  static void end_thread() noexcept { release_number(); }
};

// As it was: the number goes with the thread, whatever the thread still holds.
template <class Machine>
struct given_back_at_once : ending<Machine> {
  using base = ending<Machine>;
  static void hold_number() noexcept {}
  static void release_number() noexcept {}
  static void end_thread() noexcept {
    bloomery::held_number copy = base::mine();  // its pins still find their slots
    base::now->pool.give_back(copy);
  }
};

// The next thread does not know what the last one did in its slots.
template <class Machine>
struct given_back_relaxed : Machine {
  template <class T>
  struct atomic : interleave::atomic<T> {
    using interleave::atomic<T>::atomic;
    T fetch_and(T m, std::memory_order) {
      return interleave::atomic<T>::fetch_and(m, std::memory_order_relaxed);
    }
  };
};
template <class Machine>
struct taken_relaxed : Machine {
  template <class T>
  struct atomic : interleave::atomic<T> {
    using interleave::atomic<T>::atomic;
    T fetch_or(T m, std::memory_order) {
      return interleave::atomic<T>::fetch_or(m, std::memory_order_relaxed);
    }
  };
};

template <class Machine>
struct ending<Machine>::state {
  bloomery::number_pool<Machine> pool;
  std::array<bloomery::held_number, max_threads + 1> of{};
};

struct nothing {};

// What readers hold, and a writer replaces.  Platform: an `ending`.
template <class Platform>
struct table {
  using slots_type = bloomery::rcu_domain<nothing, Platform>;

  explicit table(unsigned own) : slots(*slots_type::make(own)) {}

  // As the reader of a live filter.
  class reader {
   public:
    explicit reader(const table& t) : here_(t.slots), table_(t) {}
    void use() const {
      const auto* const v = table_.value.load(slots_type::load_order);
      require(v->get() > 0, "a table that is not there");
    }

   private:
    typename slots_type::lasting_pin here_;
    const table& table_;
  };
  reader read() const { return reader(*this); }

  void replace() {
    auto* const next = interleave::make<plain<int>>("another", 2);
    auto* const old = value.exchange(next, slots_type::replace_order);
    slots.synchronize();
    interleave::free(old);
  }

  slots_type slots;
  atomic<plain<int>*> value{interleave::make<plain<int>>("one", 1)};
};

template <class Platform>
struct shared : Platform::state {
  explicit shared(unsigned own) : first(own), second(own) { Platform::now = this; }

  table<Platform> first, second;
};

// A thread ends before its reading does, while another begins and reads.
template <class Platform>
program ends_with_a_reading(unsigned own) {
  const auto s = std::make_shared<shared<Platform>>(own);
  return {{{"ending",
            [s] {
              const auto r = s->first.read();
              Platform::end_thread();
              r.use();
            }},
           {"beginning",
            [s] {
              {
                const auto r = s->first.read();
                r.use();
              }
              Platform::end_thread();
            }},
           {"writer", [s] { s->first.replace(); }}}};
}

// The same with a reading within a reading, so that the next thread with its number
// takes over more than a turn.
template <class Platform>
program ends_with_nested_readings(unsigned own) {
  const auto s = std::make_shared<shared<Platform>>(own);
  return {{{"ending",
            [s] {
              const auto outer = s->first.read();
              const auto inner = s->first.read();
              Platform::end_thread();
              outer.use();
            }},
           {"beginning", [s] { s->first.read().use(); }},
           {"writer", [s] { s->first.replace(); }}}};
}

// Two domains: the number is kept for both.
template <class Platform>
program ends_with_readings_of_two(unsigned own) {
  const auto s = std::make_shared<shared<Platform>>(own);
  return {{{"ending",
            [s] {
              const auto second = s->second.read();
              {
                const auto first = s->first.read();
                Platform::end_thread();
                first.use();
              }
              second.use();
            }},
           {"beginning", [s] { s->second.read().use(); }},
           {"writer", [s] { s->second.replace(); }}}};
}

// And one that is made when the number is gone, in a slot that is shared.
template <class Platform>
program reads_after_its_end(bool another_begins) {
  const auto s = std::make_shared<shared<Platform>>(1);
  program p{{{"ended",
              [s] {
                s->first.read().use();
                Platform::end_thread();
                s->first.read().use();
              }},
             {"writer", [s] { s->first.replace(); }}}};
  if (another_begins) p.threads.push_back({"beginning", [s] { s->first.read().use(); }});
  return p;
}

template <class Machine>
void holds(const std::function<program()>& make) {
  expect_holds(protocol, Machine::name, make);
}

template <class Machine>
class Numbers : public ::testing::Test {};
using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(Numbers, machines);

TYPED_TEST(Numbers, AThreadEndsWithAReading) {
  holds<TypeParam>([] { return ends_with_a_reading<ending<TypeParam>>(2); });
}
TYPED_TEST(Numbers, AThreadReadsAfterItsEnd) {
  holds<TypeParam>([] { return reads_after_its_end<ending<TypeParam>>(false); });
}
TEST(NumbersOfReadings, WithNestedReadings) {
  using platform = ending<membarrier_machine>;
  holds<platform>([] { return ends_with_nested_readings<platform>(2); });
}
TEST(NumbersOfReadings, WithReadingsOfTwo) {
  using platform = ending<membarrier_machine>;
  holds<platform>([] { return ends_with_readings_of_two<platform>(2); });
}

template <class Machine>
class NumbersFull : public ::testing::Test {};
TYPED_TEST_SUITE(NumbersFull, machines);

// With a slot for each of two threads, and with one.
TYPED_TEST(NumbersFull, AThreadEndsWithReadings) {
  BLOOMERY_FULL_ONLY();
  using platform = ending<TypeParam>;
  for (const unsigned own : {1U, 2U}) {
    holds<platform>([=] { return ends_with_a_reading<platform>(own); });
    holds<platform>([=] { return ends_with_nested_readings<platform>(own); });
    holds<platform>([=] { return ends_with_readings_of_two<platform>(own); });
  }
}
TYPED_TEST(NumbersFull, AThreadReadsAfterItsEndAndAnotherBegins) {
  BLOOMERY_FULL_ONLY();
  holds<TypeParam>([] { return reads_after_its_end<ending<TypeParam>>(true); });
}

// --- with faults ---
constexpr const char* freed_early = "freed too early";
constexpr const char* race = "data race";

template <class Platform>
void caught(const char* fault, const char* what, program (*make)(unsigned)) {
  expect_caught(protocol, Platform::name, fault, what, [=] { return make(2); });
}

// The numbers as they were before pins held them.
TEST(NumbersBroken, GivenBackWithTheThread) {
  const char* const one = "given back while a pin is left";
  const char* const nested = "given back while nested pins are left";
  const char* const other = "given back while one of two domains is read";
  using strict = given_back_at_once<strict_machine>;
  caught<strict>(one, freed_early, ends_with_a_reading<strict>);
  caught<strict>(nested, race, ends_with_nested_readings<strict>);
  caught<strict>(other, freed_early, ends_with_readings_of_two<strict>);
  using light = given_back_at_once<membarrier_machine>;
  caught<light>(one, race, ends_with_a_reading<light>);
  caught<light>(nested, race, ends_with_nested_readings<light>);
  caught<light>(other, race, ends_with_readings_of_two<light>);
}

TEST(NumbersBroken, TooWeak) {
  const auto both = []<class Machine>(Machine) {
    caught<Machine>("given back relaxed", race,
                    ends_with_nested_readings<ending<given_back_relaxed<Machine>>>);
    caught<Machine>("taken relaxed", race,
                    ends_with_nested_readings<ending<taken_relaxed<Machine>>>);
  };
  both(strict_machine());
  both(membarrier_machine());
}

}  // namespace
}  // namespace interleave::numbers_test
