// The search leaves out states it has seen and orders that make no difference.  Here
// nothing is left out, and random programs must have the same outcomes; those of which
// all operations are seq_cst must have the outcomes of plain interleaving.
#include <array>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "check.hpp"
#include "full.hpp"
#include "machine.hpp"

namespace interleave::reduction_test {
namespace {

using order = std::memory_order;

// Plain memory is used by the first thread, and by others when they have just read
// something: else nearly every program would have a race in all executions, and none
// could be missed.
enum class verb { load, store, add, fence, heavy_fence, read_plain, write_plain };

struct instruction {
  verb what;
  std::size_t where;
  order how;
  int value;
};
using listing = std::vector<std::vector<instruction>>;

constexpr std::size_t cells = 2;

// What a thread read, then what is left in memory.
struct machine_state {
  std::array<atomic<int>, cells> x;
  plain<int> y;
  std::vector<std::string> read;
  std::vector<int> last;
};

void run(machine_state& m, std::size_t thread, const instruction& i) {
  const auto note = [&](int v) {
    m.read[thread] += std::to_string(v) + ",";
    m.last[thread] = v;
  };
  const bool guarded = i.what == verb::read_plain || i.what == verb::write_plain;
  if (guarded && thread != 0 && m.last[thread] == 0) return;
  switch (i.what) {
    case verb::load:
      return note(m.x[i.where].load(i.how));
    case verb::store:
      return m.x[i.where].store(i.value, i.how);
    case verb::add:
      return note(m.x[i.where].fetch_add(i.value, i.how));
    case verb::fence:
      return world::now().fence();
    case verb::heavy_fence:
      return membarrier_machine::heavy_fence();
    case verb::read_plain:
      return static_cast<void>(m.y.get());
    case verb::write_plain:
      return m.y.set(i.value);
  }
}

struct outcome {
  std::set<std::string> ends;
  bool fails = false;  // then the ends are not all
  std::size_t executions = 0;
};

outcome explored(const listing& code, bool reduce) {
  outcome all;
  const verdict v = explore(
      [&] {
        const auto m = std::make_shared<machine_state>();
        m->read.resize(code.size());
        m->last.resize(code.size());
        program p;
        for (std::size_t t = 0; t < code.size(); ++t)
          p.threads.push_back({"thread", [m, t, &code] {
                                 for (const instruction& i : code[t]) run(*m, t, i);
                               }});
        p.at_end = [m, &all] {
          std::string end;
          for (const std::string& r : m->read) end += r + ";";
          for (const auto& x : m->x) end += std::to_string(x.load()) + ",";
          all.ends.insert(end);
        };
        return p;
      },
      {.reduce = reduce});
  all.fails = v.found.has_value();
  all.executions = v.executions;
  return all;
}

// One thread after another, each location one value.
struct interleaver {
  const listing& code;
  std::set<std::string> ends;

  void go(std::vector<std::size_t> at, std::array<int, cells> x,
          std::vector<std::string> read) {
    bool ended = true;
    for (std::size_t t = 0; t < code.size(); ++t) {
      if (at[t] == code[t].size()) continue;
      ended = false;
      const instruction& i = code[t][at[t]];
      auto next = at;
      auto y = x;
      auto r = read;
      ++next[t];
      if (i.what != verb::store) r[t] += std::to_string(x[i.where]) + ",";
      if (i.what == verb::store) y[i.where] = i.value;
      if (i.what == verb::add) y[i.where] += i.value;
      go(next, y, r);
    }
    if (!ended) return;
    std::string end;
    for (const std::string& r : read) end += r + ";";
    for (const int v : x) end += std::to_string(v) + ",";
    ends.insert(end);
  }
};

class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  listing program_of(std::size_t threads, std::size_t length,
                     std::initializer_list<verb> verbs, bool all_sc) {
    listing code(threads);
    for (auto& t : code)
      for (std::size_t n = 0; n < length; ++n)
        t.push_back({*(verbs.begin() + below(verbs.size())), below(cells),
                     all_sc ? std::memory_order_seq_cst : any_order(),
                     static_cast<int>(below(2)) + 1});
    for (auto& t : code)
      for (instruction& i : t) fit(i);
    return code;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  order any_order() {
    constexpr std::array all = {std::memory_order_relaxed, std::memory_order_acquire,
                                std::memory_order_release, std::memory_order_seq_cst};
    return all[below(all.size())];
  }
  // A load cannot release, a store cannot acquire.
  static void fit(instruction& i) {
    if (i.what == verb::load && i.how == std::memory_order_release)
      i.how = std::memory_order_relaxed;
    if (i.what == verb::store && i.how == std::memory_order_acquire)
      i.how = std::memory_order_relaxed;
  }

  std::mt19937 random_;
};

// Over `count` programs, the executions with the reductions and without.
std::array<std::size_t, 2> compare_outcomes(unsigned count, std::size_t threads,
                                            std::size_t length,
                                            std::initializer_list<verb> verbs) {
  std::array<std::size_t, 2> executions{};
  if (bloomery::testing::sanitized) count /= 20;
  for (unsigned seed = 0; seed < count; ++seed) {
    const listing code = generator(seed).program_of(threads, length, verbs, false);
    const outcome with = explored(code, true), without = explored(code, false);
    EXPECT_FALSE(with.fails || without.fails) << seed;
    EXPECT_EQ(with.ends, without.ends) << seed;
    executions[0] += with.executions;
    executions[1] += without.executions;
  }
  return executions;
}

TEST(Reduction, LosesNoOutcome) {
  compare_outcomes(1500, 3, 2, {verb::load, verb::load, verb::store, verb::fence});
  compare_outcomes(300, 2, 4, {verb::load, verb::store, verb::add, verb::heavy_fence});
  const auto [reduced, whole] = compare_outcomes(
      60, 3, 3, {verb::load, verb::load, verb::store, verb::add, verb::heavy_fence});
  EXPECT_LT(reduced * 10, whole) << "else it would not be worth its lines";
}

TEST(Reduction, LosesNoRace) {
  unsigned races = 0;
  const unsigned programs = bloomery::testing::sanitized ? 200 : 2000;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const listing code = generator(seed).program_of(
        seed % 4 == 0 ? 3 : 2, seed % 4 == 0 ? 3 : 4,
        {verb::load, verb::load, verb::store, verb::read_plain, verb::write_plain},
        false);
    const bool with = explored(code, true).fails, without = explored(code, false).fails;
    ASSERT_EQ(with, without) << seed;
    races += with ? 1 : 0;
  }
  EXPECT_GT(races, programs / 20);
  EXPECT_LT(races, programs / 20 * 19);
}

TEST(Platform, SeqCstAloneIsPlainInterleaving) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const listing code =
        generator(seed).program_of(3, 2, {verb::load, verb::store, verb::add}, true);
    interleaver plain_one{code, {}};
    plain_one.go(std::vector<std::size_t>(code.size()), {},
                 std::vector<std::string>(code.size()));
    const outcome got = explored(code, true);
    ASSERT_FALSE(got.fails) << seed;
    ASSERT_EQ(got.ends, plain_one.ends) << seed;
  }
}

}  // namespace
}  // namespace interleave::reduction_test
