// Protocol 12: the library's own shared_chain.hpp, a list of levels that becomes longer
// while threads insert and ask.
//
// A key goes into the last level; who finds that full makes the next one, and one of
// several wins.  No insert that happened before is denied, whichever level it went to.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/scalable/protocol.hpp>

#include "check.hpp"
#include "machine.hpp"
#include "toy_filter.hpp"

namespace interleave::chain_test {
namespace {

constexpr const char* protocol = "chain of levels";
constexpr const char* false_negative = "an insert that happened before is denied";

// What a level is made of before it is published: `whole` is plain memory.
struct level {
  atomic<std::uint64_t> keys{0, "level"};
  plain<std::uint64_t> whole{0, "size of a level"};
};

level* made() {
  auto* const l = interleave::make<level>("level");
  l->whole.set(1);
  return l;
}

template <class Platform>
struct chain : bloomery::shared_chain<level, 3, Platform> {
  chain() { this->begin(made()); }

  level& at(unsigned i) const {
    level& l = (*this)[i];
    require(l.whole.get() == 1, "a level that is not whole");
    return l;
  }
  // With one key, so that every insert but the first finds it so.
  bool is_full(unsigned n) const { return at(n - 1).keys.load(relaxed) != 0; }
  // As in shared_scalable.cpp, without patience.  Some find no memory.
  void grow(unsigned n, bool memory) {
    (void)this->claim(n);
    if (n == 3 || this->has(n)) return;
    if (!memory) return this->give_up(n);
    level* const mine = made();
    if (!this->offer(n, mine)) free(mine);
  }
  void insert(std::uint64_t k, bool memory) {
    const unsigned n = this->size();
    if (is_full(n)) grow(n, memory);
    at(this->size() - 1).keys.fetch_or(k, relaxed);
  }
  bool may_contain(std::uint64_t k) const {
    for (unsigned i = this->size(); i-- != 0;)
      if ((at(i).keys.load(relaxed) & k) != 0) return true;
    return false;
  }
};

// One thread for each key, another that asks for what it heard of.
template <class Chain>
std::function<program()> inserters(std::vector<bool> memory, bool reader = true) {
  return [=] {
    struct shared {
      Chain chain;
      std::vector<std::unique_ptr<signal>> done;
    };
    const auto s = std::make_shared<shared>();
    program p;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      s->done.push_back(std::make_unique<signal>());
      p.threads.push_back({"inserter", [s, i, m = memory[i]] {
                             s->chain.insert(std::uint64_t{1} << i, m);
                             s->done[i]->send();
                           }});
    }
    if (reader)
      p.threads.push_back({"reader", [s] {
                             for (std::size_t i = 0; i < s->done.size(); ++i)
                               if (s->done[i]->received() != 0)
                                 require(s->chain.may_contain(std::uint64_t{1} << i),
                                         false_negative);
                           }});
    p.at_end = [s] {
      for (std::size_t i = 0; i < s->done.size(); ++i)
        require(s->chain.may_contain(std::uint64_t{1} << i), false_negative);
    };
    return p;
  };
}

using sound = chain<strict_machine>;

TEST(Chain, EveryInsertIsSeenWhileItGrows) {
  expect_holds(protocol, "any", inserters<sound>({true, true}));
}
TEST(Chain, AlsoWhereOneFindsNoMemory) {
  expect_holds(protocol, "any", inserters<sound>({true, false}));
  expect_holds(protocol, "any", inserters<sound>({false, false}));
}
TEST(Chain, ThreeInserters) {
  expect_holds(protocol, "any", inserters<sound>({true, true, true}, false));
}

struct says_so_before_it_is_whole : sound {
  void insert(std::uint64_t k, bool) {
    const unsigned n = size();
    if (is_full(n) && !has(n)) {
      auto* const mine = interleave::make<level>("level");
      if (offer(n, mine))
        mine->whole.set(1);
      else
        free(mine);
    }
    at(size() - 1).keys.fetch_or(k, relaxed);
  }
};

struct publishes_relaxed : sound {
  void insert(std::uint64_t k, bool) {
    const unsigned n = size();
    if (is_full(n) && !has(n)) {
      level *const mine = made(), *none = nullptr;
      if (!level_[n].compare_exchange_strong(none, mine, relaxed, relaxed)) free(mine);
    }
    at(size() - 1).keys.fetch_or(k, relaxed);
  }
};

// Two make the same level, and the first is lost with its keys.
struct stores_without_comparing : sound {
  void insert(std::uint64_t k, bool) {
    const unsigned n = size();
    if (is_full(n) && !has(n)) {
      level_[n].store(made(), release);
      known_.store(n + 1, release);
    }
    at(size() - 1).keys.fetch_or(k, relaxed);
  }
};

struct writes_to_its_own : sound {
  void insert(std::uint64_t k, bool) {
    const unsigned n = size();
    if (!is_full(n)) {
      at(n - 1).keys.fetch_or(k, relaxed);
      return;
    }
    level* const mine = made();
    (void)offer(n, mine);
    mine->keys.fetch_or(k, relaxed);
  }
};

struct loser_drops_its_key : sound {
  void insert(std::uint64_t k, bool) {
    const unsigned n = size();
    if (is_full(n)) {
      level* const mine = made();
      if (!offer(n, mine)) return free(mine);
    }
    at(size() - 1).keys.fetch_or(k, relaxed);
  }
};

// The number of levels, read before the message that a key is in.
struct remembers_the_number : sound {
  mutable unsigned known = 1;
  bool may_contain(std::uint64_t k) const {
    for (unsigned i = known; i-- != 0;)
      if ((at(i).keys.load(relaxed) & k) != 0) return true;
    known = size();
    return false;
  }
};

TEST(ChainBroken, SaysSoBeforeItIsWhole) {
  expect_caught(protocol, "any", "published before it is whole", "data race",
                inserters<says_so_before_it_is_whole>({true, true}));
}
TEST(ChainBroken, PublishesRelaxed) {
  expect_caught(protocol, "any", "published without release",
                "use of an object before it is known",
                inserters<publishes_relaxed>({true, true}));
}
TEST(ChainBroken, StoresWithoutComparing) {
  expect_caught(protocol, "any", "pointer stored without comparing", false_negative,
                inserters<stores_without_comparing>({true, true, true}, false));
}
TEST(ChainBroken, ALoserWritesToItsOwnLevel) {
  expect_caught(protocol, "any", "who loses writes to the level it made", false_negative,
                inserters<writes_to_its_own>({true, true, true}, false));
}
TEST(ChainBroken, ALoserDropsItsKey) {
  expect_caught(protocol, "any", "who loses drops its key", false_negative,
                inserters<loser_drops_its_key>({true, true, true}, false));
}
TEST(ChainBroken, AReaderRemembersTheNumber) {
  expect_caught(protocol, "any", "levels counted before the message", false_negative,
                inserters<remembers_the_number>({true, true}));
}

}  // namespace
}  // namespace interleave::chain_test
