// The machine itself: fences and seq_cst operations.
#include <set>
#include <string>

#include "litmus.hpp"

namespace interleave::litmus {
namespace {

TEST(LitmusSeqCst, StoreBufferingFences) {
  const auto full = [] { world::now().fence(); };
  EXPECT_EQ(store_buffering(relaxed, full, full), no_zeros);
  EXPECT_EQ(store_buffering(relaxed, full, [] {}), all_of_two);
}

TEST(LitmusSeqCst, StoreBufferingSeqCst) {
  EXPECT_EQ(store_buffering(
                sc, [] {}, [] {}),
            no_zeros);
}

// A seq_cst store binds no relaxed load behind it.
TEST(LitmusSeqCst, StoreBufferingSeqCstStoresOnly) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, sc);
                               keep(c, 0, c.y.load(relaxed));
                             },
                             [](cells& c) {
                               c.y.store(1, sc);
                               keep(c, 1, c.x.load(relaxed));
                             }});
  EXPECT_EQ(got, all_of_two);
}

template <class Platform>
std::set<std::string> light_and_heavy() {
  return store_buffering(
      relaxed, [] { Platform::light_fence(); }, [] { Platform::heavy_fence(); });
}

TEST(LitmusSeqCst, StoreBufferingLightAndHeavy) {
  EXPECT_EQ(light_and_heavy<membarrier_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<staged_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<full_fence_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<strict_machine>(), all_of_two) << "it has no such fences";
  const auto light = [] { membarrier_machine::light_fence(); };
  EXPECT_EQ(store_buffering(relaxed, light, light), all_of_two) << "two light ones";
}

// Two readers see two independent writes in opposite orders.
std::set<std::string> independent_writes(order store, order load) {
  return outcomes({[store](cells& c) { c.x.store(1, store); },
                   [store](cells& c) { c.y.store(1, store); },
                   [load](cells& c) {
                     keep(c, 0, c.x.load(load));
                     keep(c, 1, c.y.load(load));
                   },
                   [load](cells& c) {
                     keep(c, 2, c.y.load(load));
                     keep(c, 3, c.x.load(load));
                   }});
}

TEST(LitmusSeqCst, IndependentReadsOfIndependentWrites) {
  EXPECT_TRUE(independent_writes(release, acquire).contains("1010"));
  const auto strong = independent_writes(sc, sc);
  EXPECT_FALSE(strong.contains("1010"));
  EXPECT_EQ(strong.size(), 15U) << "all others are there";
}

// seq_cst loads bind each other: what one has read, no later one finds unwritten.  So it
// matters which comes first, although both only read.
TEST(LitmusSeqCst, SeqCstLoadsOfARelaxedStore) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, relaxed);
                               c.y.store(1, relaxed);
                             },
                             [](cells& c) { keep(c, 0, c.x.load(sc)); },
                             [](cells& c) {
                               keep(c, 1, c.y.load(relaxed));
                               keep(c, 2, c.x.load(sc));
                             }});
  EXPECT_TRUE(got.contains("110."));
  EXPECT_TRUE(got.contains("011."));
}

// The same of a fence: the load reads 0 only if it comes before the fence of a thread
// that has read 1, and it comes after that thread's message.
TEST(LitmusSeqCst, ASeqCstLoadBeforeAFence) {
  const auto outcomes_of = [](bool fence_first) {
    return outcomes({[](cells& c) { c.x.store(1, relaxed); },
                     [=](cells& c) {
                       keep(c, 0, c.x.load(relaxed));
                       if (fence_first) world::now().fence();
                       c.y.store(1, relaxed);
                       if (!fence_first) world::now().fence();
                     },
                     [](cells& c) {
                       keep(c, 1, c.y.load(relaxed));
                       keep(c, 2, c.x.load(sc));
                     }});
  };
  EXPECT_TRUE(outcomes_of(false).contains("110."));
  EXPECT_FALSE(outcomes_of(true).contains("110."));
}

}  // namespace
}  // namespace interleave::litmus
