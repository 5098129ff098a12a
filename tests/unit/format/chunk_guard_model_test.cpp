// The protocol of chunk_guard, run in every order its steps can take.
//
// Two threads look a chunk up, a third checks everything; each step below is one atomic
// operation or one use of the chunk's bytes.  All interleavings are visited (a stress
// loop that passes proves nothing): no thread may read bytes that are neither checked nor
// ones, nobody may write while another reads, and the plain path opens only when every
// chunk is done.
#include <array>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace bloomery::testing {
namespace {

constexpr int chunks = 2, threads = 3;

// Bytes of a chunk: as in the file, being filled with ones, or ones.
enum content : int { raw, half_filled, filled };

struct world {
  std::array<bool, chunks> claimed{}, checked{};
  std::array<int, chunks> bytes{};  // content
  int unchecked = chunks;
  std::array<int, threads> step{}, chunk{};
  auto operator<=>(const world&) const = default;
};

struct protocol {
  std::array<bool, chunks> damaged;
  // The fault to prove that the search can find one: the mark is set before the ones are.
  bool mark_first = false;

  // Chunk after chunk: look up, check if need be, then read.
  static constexpr int looks = 0, claims = 1, compares = 2, fills = 3, fills_more = 4,
                       marks = 5, counts = 6, waits = 7, reads = 8, done = 9;

  // The next worlds if thread t moves; none if it is done or must wait.
  std::vector<world> moves(const world& w, int t) const {
    world n = w;
    const auto c =
        static_cast<std::size_t>((w.chunk[static_cast<std::size_t>(t)] + t) % chunks);
    int& s = n.step[static_cast<std::size_t>(t)];
    switch (w.step[static_cast<std::size_t>(t)]) {
      case looks:
        s = w.unchecked == 0 || w.checked[c] ? reads : claims;
        break;
      case claims:
        s = w.claimed[c] ? waits : compares;
        n.claimed[c] = true;
        break;
      case compares:
        EXPECT_EQ(w.bytes[c], raw) << "two threads compare and fill one chunk";
        s = damaged[c] ? (mark_first ? marks : fills) : marks;
        break;
      case fills:
        n.bytes[c] = half_filled;
        s = fills_more;
        break;
      case fills_more:
        n.bytes[c] = filled;
        s = mark_first ? counts : marks;
        break;
      case marks:
        n.checked[c] = true;
        s = mark_first && damaged[c] ? fills : counts;
        break;
      case counts:
        n.unchecked -= 1;
        s = reads;
        break;
      case waits:
        if (!w.checked[c]) return {};
        s = reads;
        break;
      case reads: {
        const bool believed = damaged[c] ? w.bytes[c] == filled : w.bytes[c] == raw;
        if (!believed) ++lies;
        s = ++n.chunk[static_cast<std::size_t>(t)] == chunks ? done : looks;
        break;
      }
      default:
        return {};
    }
    return {n};
  }

  // Visits every reachable world; how many there are.
  std::size_t explore() {
    std::set<world> seen;
    std::vector<world> open{world{}};
    while (!open.empty()) {
      const world w = open.back();
      open.pop_back();
      if (!seen.insert(w).second) continue;
      bool moved = false, all_done = true;
      for (int t = 0; t < threads; ++t) {
        for (const world& n : moves(w, t)) {
          moved = true;
          open.push_back(n);
        }
        all_done = all_done && w.step[static_cast<std::size_t>(t)] == done;
      }
      EXPECT_TRUE(moved || all_done) << "threads wait for each other";
      if (all_done) {
        EXPECT_EQ(w.unchecked, 0);
      }
    }
    return seen.size();
  }

  mutable int lies = 0;
};

TEST(ChunkGuardModel, NoOrderOfStepsReadsWhatWasNotChecked) {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      protocol p{{first, second}};
      EXPECT_GT(p.explore(), 1000u);
      EXPECT_EQ(p.lies, 0);
    }
}

TEST(ChunkGuardModel, TheSearchFindsAMarkThatComesTooEarly) {
  protocol p{{true, false}, true};
  p.explore();
  EXPECT_GT(p.lies, 0);
}

}  // namespace
}  // namespace bloomery::testing
