// Protocol 6: a new generation takes over while others insert and look up.
//
// A writer puts its key into the source, then inserts: into the generation that serves
// and into its shadow if there is one.  The rebuilder publishes the shadow, and when
// every insert that did not know of it has ended, fills it from the source and lets it
// serve. So a key is missed by the fill only if its insert began after the shadow was
// published, and that insert wrote to the shadow itself.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/rcu_ptr.hpp>

#include "check.hpp"
#include "full.hpp"
#include "split_rcu_ptr.hpp"
#include "toy_filter.hpp"

namespace interleave::rebuild_test {
namespace {

constexpr const char* protocol = "rebuild";
constexpr const char* false_negative = "an insert that happened before is denied";

// A bit a key is filter enough here: how bits are set is the matter of protocol 1.
struct generation {
  atomic<std::uint64_t> keys{0, "generation"};
};

struct roster {
  plain<generation*> serving, shadow;
  roster(generation* serves, generation* follows)
      : serving(serves, "serving"), shadow(follows, "shadow") {}
};

struct nothing {};

template <class Platform>
struct real_pointer : bloomery::rcu_ptr<roster, nothing, Platform> {
  using base = bloomery::rcu_ptr<roster, nothing, Platform>;
  real_pointer(roster* first, unsigned own) : base(*base::make(first, own)) {}
};

template <class Pointer>
struct service {
  explicit service(unsigned own)
      : now(interleave::make<roster>("roster", interleave::make<generation>("generation"),
                                     nullptr),
            own) {}

  Pointer now;
  atomic<std::uint64_t> source{0, "source"};
  std::array<signal, 2> done;

  void insert(std::uint64_t key) {
    const auto r = now.read();
    r->serving.get()->keys.fetch_or(key, relaxed);
    if (generation* const s = r->shadow.get(); s != nullptr)
      s->keys.fetch_or(key, relaxed);
  }
  void write(std::uint64_t key) {
    source.fetch_or(key, relaxed);
    insert(key);
  }
  bool may_contain(std::uint64_t key) const {
    const auto r = now.read();
    return (r->serving.get()->keys.load(relaxed) & key) != 0;
  }

  void fill(generation* g) { g->keys.fetch_or(source.load(relaxed), relaxed); }

  void rebuild() {
    generation* const old = now.current()->serving.get();
    auto* const shadow = interleave::make<generation>("generation");
    free(now.replace(interleave::make<roster>("roster", old, shadow)));
    fill(shadow);
    free(now.replace(interleave::make<roster>("roster", shadow, nullptr)));
    free(old);
  }
};

constexpr std::uint64_t key_of(std::size_t writer) { return std::uint64_t{1} << writer; }

// Writers, each with a key of its own; a rebuilder; readers.
template <class Service>
std::function<program()> under_load(std::size_t writers, std::size_t readers,
                                    int rebuilds = 1) {
  return [=] {
    const auto s = std::make_shared<Service>(static_cast<unsigned>(writers + readers));
    program p;
    for (std::size_t w = 0; w < writers; ++w)
      p.threads.push_back({"writer", [s, w] {
                             s->write(key_of(w));
                             s->done[w].send();
                           }});
    for (std::size_t r = 0; r < readers; ++r)
      p.threads.push_back({"reader", [s, writers] {
                             for (std::size_t w = 0; w < writers; ++w)
                               if (s->done[w].received() != 0)
                                 require(s->may_contain(key_of(w)), false_negative);
                           }});
    p.threads.push_back({"rebuilder", [s, rebuilds] {
                           for (int n = 0; n < rebuilds; ++n) s->rebuild();
                         }});
    p.at_end = [s, writers] {
      for (std::size_t w = 0; w < writers; ++w)
        require(s->may_contain(key_of(w)), false_negative);
    };
    return p;
  };
}

template <class Platform>
using real_service = service<real_pointer<Platform>>;

template <class Platform>
class Rebuild : public ::testing::Test {};
using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(Rebuild, machines);

TYPED_TEST(Rebuild, NoKeyIsDeniedAtAnyMoment) {
  expect_holds(protocol, TypeParam::name, under_load<real_service<TypeParam>>(1, 1));
}

TYPED_TEST(Rebuild, TwoRebuilds) {
  expect_holds(protocol, TypeParam::name, under_load<real_service<TypeParam>>(1, 1, 2));
}

template <class Platform>
class RebuildFull : public ::testing::Test {};
TYPED_TEST_SUITE(RebuildFull, machines);

TYPED_TEST(RebuildFull, TwoWriters) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, TypeParam::name, under_load<real_service<TypeParam>>(2, 0));
}

// On the machine with the fewest states: others have ten times as many.
TEST(RebuildLargestFull, TwoWritersAndAReader) {
  BLOOMERY_FULL_ONLY();
  expect_holds(protocol, strict_machine::name,
               under_load<real_service<strict_machine>>(2, 1));
}

using sound = service<split_rcu_ptr<roster, membarrier_machine>>;

// Between the two halves of the first replacement.
struct fills_without_grace : sound {
  using sound::sound;
  void rebuild() {
    generation* const old = now.current()->serving.get();
    auto* const shadow = interleave::make<generation>("generation");
    roster* const first = now.exchange(interleave::make<roster>("roster", old, shadow));
    fill(shadow);
    now.wait();
    free(first);
    free(now.replace(interleave::make<roster>("roster", shadow, nullptr)));
    free(old);
  }
};

struct writes_once : sound {
  using sound::sound;
  void write(std::uint64_t key) {
    source.fetch_or(key, relaxed);
    const auto r = now.read();
    r->serving.get()->keys.fetch_or(key, relaxed);
  }
};

struct swaps_before_the_fill : sound {
  using sound::sound;
  void rebuild() {
    generation* const old = now.current()->serving.get();
    auto* const shadow = interleave::make<generation>("generation");
    free(now.replace(interleave::make<roster>("roster", shadow, nullptr)));
    fill(shadow);
    free(old);
  }
};

// The caller's fault: the fill can come between the two.
struct inserts_before_the_source : sound {
  using sound::sound;
  void write(std::uint64_t key) {
    insert(key);
    source.fetch_or(key, relaxed);
  }
};

struct writes_to_the_shadow_only : sound {
  using sound::sound;
  void write(std::uint64_t key) {
    source.fetch_or(key, relaxed);
    const auto r = now.read();
    generation* const s = r->shadow.get();
    (s != nullptr ? s : r->serving.get())->keys.fetch_or(key, relaxed);
  }
};

struct frees_without_grace : sound {
  using sound::sound;
  void rebuild() {
    generation* const old = now.current()->serving.get();
    auto* const shadow = interleave::make<generation>("generation");
    free(now.replace(interleave::make<roster>("roster", old, shadow)));
    fill(shadow);
    roster* const both =
        now.exchange(interleave::make<roster>("roster", shadow, nullptr));
    free(old);
    now.wait();
    free(both);
  }
};

template <class Service>
void caught(const char* fault, const char* what = false_negative) {
  expect_caught(protocol, membarrier_machine::name, fault, what,
                under_load<Service>(1, 1));
}

TEST(RebuildBroken, NoGraceBeforeTheFill) {
  caught<fills_without_grace>("no grace period before the fill");
}
TEST(RebuildBroken, NoDoubleWrite) { caught<writes_once>("no double write"); }
TEST(RebuildBroken, SwapBeforeTheFill) {
  caught<swaps_before_the_fill>("published before the fill");
}
TEST(RebuildBroken, CallerInsertsBeforeTheSource) {
  caught<inserts_before_the_source>("caller inserts, then writes the source");
}
TEST(RebuildBroken, WritesToTheShadowOnly) {
  caught<writes_to_the_shadow_only>("insert into the shadow only");
}
TEST(RebuildBroken, FreesWithoutGrace) {
  caught<frees_without_grace>("old generation freed without grace", "freed too early");
}

}  // namespace
}  // namespace interleave::rebuild_test
