// Protocol 12: erases beside a rebuild, over the library's succession.hpp.
//
// A key is in the store, and in the generation that serves.  One thread erases it, then
// deletes it from the store, pinned over both; another rebuilds from the store.  At the
// end the filter has the key exactly if the store has it; and no generation ever loses a
// tag that was not the key's: what is not in is not erased.
#include <cstdint>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include <bloomery/detail/live/succession.hpp>

#include "check.hpp"
#include "toy_filter.hpp"

namespace interleave::live_erase_test {
namespace {

using bloomery::rebuild_phase;

constexpr const char* protocol = "live erase";
constexpr const char* another_key = "the tag of another key is erased";
constexpr const char* came_back = "an erased key is in the filter";
constexpr const char* lost = "a key of the store is not in the filter";

struct nothing {};
// Copies of the key.
struct copies_in {
  atomic<std::uint64_t> copies{0, "generation"};
};

template <class Platform>
struct service {
  using line_of = bloomery::succession<copies_in, nothing, Platform>;
  using member = typename line_of::member;
  using pin = typename line_of::pin;

  explicit service(bool present)
      : line(interleave::make<member>("generation"), *line_of::slots::make(2)) {
    line.serving().value.copies.store(present, relaxed);
    store.store(present, relaxed);
  }

  line_of line;
  atomic<std::uint64_t> store{0, "store"};

  static void take(member& m) {
    require(m.value.copies.fetch_sub(1, relaxed) != 0, another_key);
  }
  // As in generations.hpp.
  bool erase_from(member& m) {
    if (m.next() != nullptr) return false;
    return take(m), true;
  }
  // The caller's side.
  void erase() {
    const pin hold(line.readers());
    if (erase_from(line.serving())) store.store(0, relaxed);
  }
  void insert() {
    store.store(1, relaxed);
    const pin here(line.readers());
    member& m = line.serving();
    m.value.copies.fetch_add(1, relaxed);
    if (member* const next = m.next()) next->value.copies.fetch_add(1, relaxed);
  }
  void rebuild() {
    auto* const next = interleave::make<member>("generation");
    line.begin();
    line.announce(*next);
    (void)line.enter(rebuild_phase::filling);
    next->value.copies.fetch_add(store.load(relaxed), relaxed);
    (void)line.enter(rebuild_phase::swapping);
    free(line.take_over(*next));
    line.settle();
  }
};

template <class Service>
std::function<program()> beside_a_rebuild() {
  return [] {
    const auto s = std::make_shared<Service>(true);
    return program{
        {{"erases", [s] { s->erase(); }}, {"rebuilder", [s] { s->rebuild(); }}}, [s] {
          const auto in = s->line.serving().value.copies.load(relaxed);
          require(in >= s->store.load(relaxed), lost);
          require(in <= s->store.load(relaxed), came_back);
        }};
  };
}

// Tried again when it was refused: once the rebuild has ended, if it was that.
template <class Service>
std::function<program()> inserted_and_erased() {
  return [] {
    const auto s = std::make_shared<Service>(false);
    return program{{{"inserts, erases",
                     [s] {
                       s->insert();
                       s->erase();
                     }},
                    {"rebuilder", [s] { s->rebuild(); }}},
                   [s] {
                     const auto in = s->line.serving().value.copies.load(relaxed);
                     require(in >= s->store.load(relaxed), lost);
                     // By the source and by the insert: stays until the next rebuild.
                     require(in <= 2, "a key is in the filter three times");
                   }};
  };
}

template <class Platform>
class LiveErase : public ::testing::Test {};
using machines = ::testing::Types<strict_machine, membarrier_machine, staged_machine,
                                  full_fence_machine>;
TYPED_TEST_SUITE(LiveErase, machines);

TYPED_TEST(LiveErase, TheFilterHasWhatTheStoreHas) {
  expect_holds(protocol, TypeParam::name, beside_a_rebuild<service<TypeParam>>());
}
TYPED_TEST(LiveErase, InsertedMeanwhile) {
  expect_holds(protocol, TypeParam::name, inserted_and_erased<service<TypeParam>>());
}

using sound = service<membarrier_machine>;

struct from_both : sound {
  using sound::sound;
  void erase() {
    const pin hold(line.readers());
    member& m = line.serving();
    take(m);
    if (member* const next = m.next()) take(*next);
    store.store(0, relaxed);
  }
};
struct from_the_old_one : sound {
  using sound::sound;
  void erase() {
    const pin hold(line.readers());
    take(line.serving());
    store.store(0, relaxed);
  }
};
struct not_held : sound {
  using sound::sound;
  void erase() {
    bool erased = false;
    {
      const pin here(line.readers());
      erased = erase_from(line.serving());
    }
    if (erased) store.store(0, relaxed);
  }
};
// And again later, as the filter tells it to: the key may be in no generation by then.
struct store_first : sound {
  using sound::sound;
  void erase() {
    store.store(0, relaxed);
    {
      const pin hold(line.readers());
      if (erase_from(line.serving())) return;
    }
    for (unsigned n = 0; line.phase() != rebuild_phase::idle; ++n)
      membarrier_machine::back_off(n);
    const pin hold(line.readers());
    (void)erase_from(line.serving());
  }
};

template <class Service>
void caught(const char* fault, const char* what) {
  expect_caught(protocol, membarrier_machine::name, fault, what,
                beside_a_rebuild<Service>());
}

TEST(LiveEraseBroken, FromBoth) {
  caught<from_both>("erased from both generations", another_key);
}
TEST(LiveEraseBroken, FromTheOldOne) {
  caught<from_the_old_one>("erased from the old one only", came_back);
}
TEST(LiveEraseBroken, NoReaderHeld) {
  caught<not_held>("no reader held over both", came_back);
}
TEST(LiveEraseBroken, StoreFirst) {
  caught<store_first>("store first, and again later", another_key);
}

}  // namespace
}  // namespace interleave::live_erase_test
