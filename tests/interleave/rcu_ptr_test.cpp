// Protocol 5: the library's `rcu_ptr` and `rcu_domain`: readers pin, load, read and
// unpin; a writer replaces, waits and frees.
//
// Nobody reads what is freed or not yet made, and nothing is freed that somebody may
// read.
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/rcu_ptr.hpp>

#include "check.hpp"
#include "full.hpp"
#include "machine.hpp"

namespace interleave::rcu_ptr_test {
namespace {

constexpr const char* protocol = "published";

struct nothing {};

struct table {
  plain<int> first, second;
  explicit table(int v) : first(v, "first"), second(v, "second") {}
};

template <class Platform>
struct shared {
  using pointer = bloomery::rcu_ptr<table, nothing, Platform>;

  explicit shared(unsigned own)
      : now(*pointer::make(interleave::make<table>("table", 1), own)) {}

  pointer now;
};

void use(const table& t) {
  require(t.first.get() == t.second.get(), "a table in pieces");
}

template <class Shared>
void read_once(const Shared& s) {
  const auto r = s.now.read();
  use(*r);
}

template <class Shared>
void replace(Shared& s, int v) {
  interleave::free(s.now.replace(interleave::make<table>("table", v)));
}

// `readers` threads read so many times, a writer replaces so often.
template <class Shared>
std::function<program()> readers_and_writer(unsigned own, unsigned readers,
                                            unsigned times, int replacements) {
  return [=] {
    const auto s = std::make_shared<Shared>(own);
    program p;
    for (unsigned i = 0; i < readers; ++i)
      p.threads.push_back({"reader", [s, times] {
                             for (unsigned n = 0; n < times; ++n) read_once(*s);
                           }});
    p.threads.push_back({"writer", [s, replacements] {
                           for (int n = 0; n < replacements; ++n) replace(*s, n + 2);
                         }});
    return p;
  };
}

template <class Platform>
std::function<program()> nested_pins() {
  return [] {
    const auto s = std::make_shared<shared<Platform>>(1);
    return program{{{"reader",
                     [s] {
                       const auto outer = s->now.read();
                       read_once(*s);
                       use(*outer);
                     }},
                    {"writer", [s] { replace(*s, 2); }}}};
  };
}

// The first pin ends before the second.
template <class Platform>
std::function<program()> overlapping_pins() {
  return [] {
    const auto s = std::make_shared<shared<Platform>>(1);
    return program{{{"reader",
                     [s] {
                       auto first =
                           std::optional<typename shared<Platform>::pointer::reading>();
                       first.emplace(s->now);
                       const auto second = s->now.read();
                       use(**first);
                       first.reset();
                       use(*second);
                     }},
                    {"writer", [s] { replace(*s, 2); }}}};
  };
}

// What a reader has read it finds again, or something newer.
template <class Platform>
std::function<program()> never_back() {
  return [] {
    const auto s = std::make_shared<shared<Platform>>(1);
    return program{{{"reader",
                     [s] {
                       const int before = s->now.read()->first.get();
                       const int after = s->now.read()->first.get();
                       require(after >= before, "a reader goes back in time");
                     }},
                    {"writer", [s] { replace(*s, 2); }}}};
  };
}

template <class Platform>
void holds(const std::function<program()>& make) {
  expect_holds(protocol, Platform::name, make);
}

template <class Platform>
class Published : public ::testing::Test {};

using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(Published, machines);

TYPED_TEST(Published, OneReader) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(1, 1, 1, 1));
}
TYPED_TEST(Published, TwoReaders) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(2, 2, 1, 1));
}
TYPED_TEST(Published, AReaderReadsAgain) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(1, 1, 2, 1));
}
TYPED_TEST(Published, TwoReplacements) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(1, 1, 1, 2));
}
TYPED_TEST(Published, NestedPins) { holds<TypeParam>(nested_pins<TypeParam>()); }
TYPED_TEST(Published, OverlappingPins) {
  holds<TypeParam>(overlapping_pins<TypeParam>());
}
TYPED_TEST(Published, NeverBack) { holds<TypeParam>(never_back<TypeParam>()); }
TYPED_TEST(Published, TheSharedSlot) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(0, 2, 1, 1));
}
TYPED_TEST(Published, OneOwnOneShared) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(1, 2, 1, 1));
}

TYPED_TEST(Published, TwoReadersTwoReplacements) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(2, 2, 1, 2));
}
TYPED_TEST(Published, AReaderReadsAgainTwoReplacements) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(1, 1, 2, 2));
}
TYPED_TEST(Published, TheSharedSlotTwoReplacements) {
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(0, 2, 1, 2));
}
template <class Platform>
class PublishedFull : public ::testing::Test {};
TYPED_TEST_SUITE(PublishedFull, machines);

TYPED_TEST(PublishedFull, TwoReadersReadAgain) {
  BLOOMERY_FULL_ONLY();
  holds<TypeParam>(readers_and_writer<shared<TypeParam>>(2, 2, 2, 1));
}

}  // namespace
}  // namespace interleave::rcu_ptr_test
