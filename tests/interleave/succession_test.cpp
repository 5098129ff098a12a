// Protocol 6b: the library's own succession.hpp, with rebuilds that fail and are stopped.
//
// Beside the promise of rebuild_test.cpp: a stop that comes late, when its rebuild has
// ended and another begun, does not take the double write from that one.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/live/succession.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>

#include "check.hpp"
#include "full.hpp"
#include "toy_filter.hpp"

namespace interleave::succession_test {
namespace {

using bloomery::rebuild_phase;

constexpr const char* protocol = "succession";
constexpr const char* false_negative = "an insert that happened before is denied";

struct nothing {};
struct keys_of_one {
  atomic<std::uint64_t> keys{0, "generation"};
};

enum class ending { well, failed };

template <class Platform>
struct service {
  using line_of = bloomery::succession<keys_of_one, nothing, Platform>;
  using member = typename line_of::member;
  using pin = typename line_of::pin;

  explicit service(unsigned own)
      : line(interleave::make<member>("generation"), *line_of::slots::make(own)) {}

  line_of line;
  atomic<std::uint64_t> source{0, "source"};
  signal done;
  bloomery::stripe_lock<Platform> lock;
  atomic<std::uint64_t> told{0, "told"};

  void write(std::uint64_t key) {
    source.fetch_or(key, relaxed);
    const pin here(line.readers());
    member& m = line.serving();
    m.value.keys.fetch_or(key, relaxed);
    if (member* const next = m.next()) next->value.keys.fetch_or(key, relaxed);
  }
  // As in generations.hpp, for one stripe.
  bool insert_if_absent(std::uint64_t k) {
    const bloomery::stripe_guard held(lock);
    return put(line.serving(), k);
  }
  static bool put(member& m, std::uint64_t k) {
    const bool absent = (m.value.keys.fetch_or(k, relaxed) & k) == 0;
    if (member* const next = m.next()) next->value.keys.fetch_or(k, relaxed);
    return absent;
  }
  // Who is told so writes it to the source, pinned all the while.
  template <class Service>
  static void ask_and_write(Service& s, std::uint64_t k) {
    const pin here(s.line.readers());
    if (!s.insert_if_absent(k)) return;
    s.told.fetch_add(1, relaxed);
    s.source.fetch_or(k, relaxed);
  }

  // A visit, as of live_filter, where the machine has them.
  bool may_contain(std::uint64_t k) const {
    const auto ask = [&]() noexcept {
      return (line.serving().value.keys.load(relaxed) & k) != 0;
    };
    return line.readers().visit([&](nothing&) noexcept { return ask(); },
                                [&]() noexcept {
                                  const pin here(line.readers());
                                  return ask();
                                });
  }

  bool fill(member& next) {
    if (!line.enter(rebuild_phase::filling)) return false;
    next.value.keys.fetch_or(source.load(relaxed), relaxed);
    return true;
  }
  // What undoes it, as far as a variant does.
  void give_up(member* next) {
    line.abandon();
    free(next);
    line.settle();
  }
  void rebuild(ending wanted) {
    auto* const next = interleave::make<member>("generation");
    line.begin();
    line.announce(*next);
    if (!fill(*next) || wanted == ending::failed || !line.enter(rebuild_phase::swapping))
      return give_up(next);
    free(line.take_over(*next));
    line.settle();
  }
};

constexpr std::uint64_t key = 1;

// A writer, who is in `source` first; rebuilds, one after the other; one who stops.
template <class Service>
std::function<program()> under_load(std::vector<ending> rebuilds, bool reader,
                                    bool stopper) {
  return [=] {
    const auto s = std::make_shared<Service>(1u + reader + stopper);
    program p;
    p.threads.push_back({"writer", [s] {
                           s->write(key);
                           s->done.send();
                         }});
    if (reader)
      p.threads.push_back({"reader", [s] {
                             if (s->done.received() != 0)
                               require(s->may_contain(key), false_negative);
                           }});
    if (stopper) p.threads.push_back({"stopper", [s] { s->line.stop(); }});
    p.threads.push_back({"rebuilder", [s, rebuilds] {
                           for (const ending e : rebuilds) s->rebuild(e);
                         }});
    p.at_end = [s] {
      require(s->may_contain(key), false_negative);
      require(s->line.phase() == rebuild_phase::idle, "a rebuild has not ended");
    };
    return p;
  };
}

// Two who insert one key if it is absent, while a generation takes over.
template <class Service>
std::function<program()> who_is_first() {
  return [] {
    const auto s = std::make_shared<Service>(2u);
    const auto ask = [s] { Service::ask_and_write(*s, key); };
    return program{
        {{"one", ask}, {"other", ask}, {"rebuilder", [s] { s->rebuild(ending::well); }}},
        [s] {
          require(s->told.load(relaxed) == 1, "not one was told that it was first");
        }};
  };
}

template <class Platform>
class Succession : public ::testing::Test {};
using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(Succession, machines);

TYPED_TEST(Succession, NoKeyIsDeniedAtAnyMoment) {
  expect_holds(protocol, TypeParam::name,
               under_load<service<TypeParam>>({ending::well}, true, false));
}

TYPED_TEST(Succession, OrItFails) {
  expect_holds(protocol, TypeParam::name,
               under_load<service<TypeParam>>({ending::failed}, true, false));
}

// All machines: below, in minutes.
TEST(SuccessionStopped, AtAnyMoment) {
  expect_holds(protocol, strict_machine::name,
               under_load<service<strict_machine>>({ending::well}, false, true));
}
TEST(SuccessionFirst, OneIsToldThroughARebuild) {
  expect_holds(protocol, strict_machine::name, who_is_first<service<strict_machine>>());
}

template <class Platform>
class SuccessionFull : public ::testing::Test {};
TYPED_TEST_SUITE(SuccessionFull, machines);

TYPED_TEST(SuccessionFull, StoppedAtAnyMoment) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name,
               under_load<service<TypeParam>>({ending::well}, false, true));
}

TYPED_TEST(SuccessionFull, OneIsToldThroughARebuild) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name, who_is_first<service<TypeParam>>());
}

TYPED_TEST(SuccessionFull, AStopThatComesLateHurtsNobody) {
  BLOOMERY_FULL_ONLY();
  expect_holds(
      protocol, TypeParam::name,
      under_load<service<TypeParam>>({ending::failed, ending::well}, false, true));
}

TYPED_TEST(SuccessionFull, StoppedUnderAReader) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name,
               under_load<service<TypeParam>>({ending::well}, true, true));
}

using sound = service<membarrier_machine>;

struct looks_before_it_locks : sound {
  using sound::sound;
  bool insert_if_absent(std::uint64_t k) {
    member& m = line.serving();
    const bloomery::stripe_guard held(lock);
    return put(m, k);
  }
};

struct swaps_though_stopped : sound {
  using sound::sound;
  void rebuild(ending) {
    auto* const next = interleave::make<member>("generation");
    line.begin();
    line.announce(*next);
    next->value.keys.fetch_or(source.load(relaxed), relaxed);
    (void)line.enter(rebuild_phase::swapping);
    free(line.take_over(*next));
    line.settle();
  }
};

struct fills_before_it_announces : sound {
  using sound::sound;
  void rebuild(ending) {
    auto* const next = interleave::make<member>("generation");
    line.begin();
    fill(*next);
    line.announce(*next);
    free(line.take_over(*next));
    line.settle();
  }
};

// A stop does not wait for writes that have begun.
struct frees_after_a_stop : sound {
  using sound::sound;
  void rebuild(ending) {
    auto* const next = interleave::make<member>("generation");
    line.begin();
    line.announce(*next);
    line.stop();
    free(next);
    line.settle();
  }
};

struct writes_once : sound {
  using sound::sound;
  void write(std::uint64_t k) {
    source.fetch_or(k, relaxed);
    const pin here(line.readers());
    line.serving().value.keys.fetch_or(k, relaxed);
  }
};

TEST(SuccessionBroken, SwapsThoughStopped) {
  expect_caught(protocol, membarrier_machine::name, "takes over though it was stopped",
                false_negative,
                under_load<swaps_though_stopped>({ending::well}, false, true));
}
TEST(SuccessionBroken, FillsBeforeItAnnounces) {
  expect_caught(protocol, membarrier_machine::name, "fills before it announces",
                false_negative,
                under_load<fills_before_it_announces>({ending::well}, false, false));
}
TEST(SuccessionBroken, FreesAfterAStop) {
  expect_caught(protocol, membarrier_machine::name, "frees after a stop, without grace",
                "freed too early",
                under_load<frees_after_a_stop>({ending::well}, false, false));
}
TEST(SuccessionBroken, LooksBeforeItLocks) {
  expect_caught(protocol, membarrier_machine::name, "pointer loaded before the lock",
                "not one was told", who_is_first<looks_before_it_locks>());
}
TEST(SuccessionBroken, WritesOnce) {
  expect_caught(protocol, membarrier_machine::name, "no write to what follows",
                false_negative, under_load<writes_once>({ending::well}, false, false));
}

}  // namespace
}  // namespace interleave::succession_test
