// Protocol 5, the short way: rcu_domain' visits beside pins and a writer that replaces,
// waits and frees; and the gate that closes them, which is the kill switch of
// live_filter.
#include <memory>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/rcu_domain.hpp>

#include "check.hpp"
#include "machine.hpp"

namespace interleave::visit_test {
namespace {

constexpr const char* protocol = "visits";

struct nothing {};

template <class Platform>
struct table_in_use {
  using slots_type = bloomery::rcu_domain<nothing, Platform>;

  explicit table_in_use(unsigned own) : slots(*slots_type::make(own)) {}

  slots_type slots;
  atomic<plain<int>*> value{interleave::make<plain<int>>("table", 1)};

  // Whether it was a visit.
  bool read() {
    const auto use = [this] {
      require(value.load(slots_type::load_order)->get() > 0, "a table that is not there");
    };
    return slots.visit(
        [&](nothing&) {
          use();
          return true;
        },
        [&] {
          const typename slots_type::pin here(slots);
          use();
          return false;
        });
  }
  void replace(int v) {
    auto* const next = interleave::make<plain<int>>("table", v);
    auto* const old = value.exchange(next, slots_type::replace_order);
    slots.synchronize();
    interleave::free(old);
  }
};

template <class Platform>
std::function<program()> readers_and_writer(unsigned own, unsigned readers,
                                            unsigned times) {
  return [=] {
    const auto s = std::make_shared<table_in_use<Platform>>(own);
    program p;
    for (unsigned i = 0; i < readers; ++i)
      p.threads.push_back({"reader", [s, times] {
                             for (unsigned n = 0; n < times; ++n) s->read();
                           }});
    p.threads.push_back({"writer", [s] { s->replace(2); }});
    return p;
  };
}

// Under a pin a visit becomes one more pin, and afterwards is a visit again.
template <class Platform>
std::function<program()> under_a_pin() {
  return [] {
    const auto s = std::make_shared<table_in_use<Platform>>(1);
    return program{{{"reader",
                     [s] {
                       {
                         const typename table_in_use<Platform>::slots_type::pin held(
                             s->slots);
                         require(!s->read(), "a visit under a pin");
                       }
                       require(s->read(), "no visit though nothing is in its way");
                     }},
                    {"writer", [s] { s->replace(2); }}}};
  };
}

// Who happens-after the gate was closed does not visit; who comes last has the say.
template <class Platform>
std::function<program()> closed() {
  return [] {
    struct shared {
      table_in_use<Platform> t{1};
      atomic<int> told{0, "told"};
    };
    const auto s = std::make_shared<shared>();
    return program{{{"reader",
                     [s] {
                       const int told = s->told.load(std::memory_order_acquire);
                       const bool visited = s->t.read();
                       require(told == 0 || !visited, "a visit after they were closed");
                     }},
                    {"closer", [s] {
                       s->t.slots.open_visits();
                       s->t.slots.close_visits();
                       s->told.store(1, std::memory_order_release);
                     }}}};
  };
}

template <class Platform>
class Visits : public ::testing::Test {
 protected:
  static void holds(const std::function<program()>& make) {
    expect_holds(protocol, Platform::name, make);
  }
};
using machines = ::testing::Types<membarrier_machine, staged_machine>;
TYPED_TEST_SUITE(Visits, machines);

TYPED_TEST(Visits, OneReaderTwice) {
  this->holds(readers_and_writer<TypeParam>(1, 1, 2));
}
TYPED_TEST(Visits, TwoReaders) { this->holds(readers_and_writer<TypeParam>(2, 2, 1)); }
TYPED_TEST(Visits, OneVisitsOneSharesASlot) {
  this->holds(readers_and_writer<TypeParam>(1, 2, 1));
}
TYPED_TEST(Visits, UnderAPin) { this->holds(under_a_pin<TypeParam>()); }
TYPED_TEST(Visits, Closed) { this->holds(closed<TypeParam>()); }

// The same code on computers that do not keep their word.
struct without_release : membarrier_machine {
  template <class T>
  struct atomic : interleave::atomic<T> {
    using interleave::atomic<T>::atomic;
    void store(T v, std::memory_order o) {
      interleave::atomic<T>::store(
          v, o == std::memory_order_release ? std::memory_order_relaxed : o);
    }
  };
};
struct without_heavy_fence : membarrier_machine {
  static void heavy_fence() noexcept {}
};
// Visits although fences are not light.
struct without_light_fence : full_fence_machine {
  static bool prepare_fences() noexcept { return true; }
};

TEST(VisitsBroken, AreCaught) {
  constexpr const char* freed_early = "freed too early";
  expect_caught(protocol, "membarrier", "ends with a relaxed store", freed_early,
                readers_and_writer<without_release>(1, 1, 2));
  expect_caught(protocol, "membarrier", "no heavy fence", freed_early,
                readers_and_writer<without_heavy_fence>(1, 1, 1));
  expect_caught(protocol, "full fence", "no light fence", freed_early,
                readers_and_writer<without_light_fence>(1, 1, 1));
}

}  // namespace
}  // namespace interleave::visit_test
