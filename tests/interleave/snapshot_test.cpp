// Protocol 4: a snapshot while others insert.
//
// Words are copied one by one by relaxed loads; what is counted is the copy; the header
// is written last.  It holds every insert that happens before the call, and of the others
// whatever it met.
#include <array>
#include <bit>
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "toy_filter.hpp"

namespace interleave::snapshot_test {
namespace {

constexpr const char* protocol = "snapshot";
constexpr const char* lacks_insert = "a snapshot lacks an insert that happened before it";
constexpr const char* wrong_count = "the count in the header is not that of the words";

constexpr toy_key a{{1, 1}}, b{{3, 2}};

// What is written out: another thread may have it when it sees the header.
struct image {
  std::array<plain<std::uint64_t>, toy_words> words;
  plain<int> ones{0, "count"};
  atomic<unsigned> header{0, "header"};

  bool contains(const toy_key& k) const {
    for (std::size_t i = 0; i < toy_words; ++i)
      if ((~words[i].get() & k.bits[i]) != 0) return false;
    return true;
  }
  int counted() const {
    int n = 0;
    for (const auto& w : words) n += std::popcount(w.get());
    return n;
  }
};

struct filter : toy_filter {
  void snapshot(image& to) const {
    for (std::size_t i = 0; i < toy_words; ++i) to.words[i].set(words[i].load(relaxed));
    to.ones.set(to.counted());
    to.header.store(1, release);
  }
};

template <class Filter>
struct shared {
  Filter filter;
  std::array<signal, 2> done;
  std::array<image, 2> copies;
};

template <class Filter>
void insert(shared<Filter>& s, std::size_t i, const toy_key& k) {
  s.filter.insert(k);
  s.done[i].send();
}

// Takes a copy and checks it against what was known before.
template <class Filter>
void copy(shared<Filter>& s, std::size_t to) {
  const bool knows_a = s.done[0].received() != 0, knows_b = s.done[1].received() != 0;
  const image& got = s.copies[to];
  s.filter.snapshot(s.copies[to]);
  if (knows_a) require(got.contains(a), lacks_insert);
  if (knows_b) require(got.contains(b), lacks_insert);
  require(got.ones.get() == got.counted(), wrong_count);
}

template <class Filter>
program two_inserters(const toy_key& second) {
  const auto s = std::make_shared<shared<Filter>>();
  return {{{"inserter", [s] { insert(*s, 0, a); }},
           {"inserter", [s, second] { insert(*s, 1, second); }},
           {"copier", [s] { copy(*s, 0); }}}};
}

TEST(Snapshot, HoldsWhatHappenedBefore) {
  expect_holds(protocol, "any", [] { return two_inserters<filter>(b); });
}

TEST(Snapshot, TwoCopiers) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<shared<filter>>();
    return program{{{"inserter", [s] { insert(*s, 0, a); }},
                    {"copier", [s] { copy(*s, 0); }},
                    {"copier", [s] { copy(*s, 1); }}}};
  });
}

template <class Filter>
program read_by_another() {
  const auto s = std::make_shared<shared<Filter>>();
  return {{{"inserter", [s] { insert(*s, 0, a); }},
           {"copier", [s] { s->filter.snapshot(s->copies[0]); }},
           {"reader", [s] {
              const image& got = s->copies[0];
              if (got.header.load(acquire) == 0) return;
              require(got.ones.get() == got.counted(), wrong_count);
            }}}};
}

TEST(Snapshot, IsWholeWhenItsHeaderIsThere) {
  expect_holds(protocol, "any", read_by_another<filter>);
}

struct counts_live_words : toy_filter {
  void snapshot(image& to) const {
    int ones = 0;
    for (std::size_t i = 0; i < toy_words; ++i) to.words[i].set(words[i].load(relaxed));
    for (const auto& w : words) ones += std::popcount(w.load(relaxed));
    to.ones.set(ones);
    to.header.store(1, release);
  }
};

TEST(SnapshotBroken, CountsLiveWords) {
  expect_caught(protocol, "any", "count of the live words", wrong_count,
                [] { return two_inserters<counts_live_words>(b); });
}

struct header_first : toy_filter {
  void snapshot(image& to) const {
    to.header.store(1, release);
    for (std::size_t i = 0; i < toy_words; ++i) to.words[i].set(words[i].load(relaxed));
    to.ones.set(to.counted());
  }
};

TEST(SnapshotBroken, HeaderFirst) {
  expect_caught(protocol, "any", "header written first", "data race",
                read_by_another<header_first>);
}

// A second caller is given the copy that the first has begun.
struct shared_copy {
  toy_filter filter;
  signal done;
  atomic<unsigned> begun{0, "begun"};
  image copy;

  const image& snapshot() {
    if (begun.exchange(1, acq_rel) == 0) {
      for (std::size_t i = 0; i < toy_words; ++i)
        copy.words[i].set(filter.words[i].load(relaxed));
      copy.header.store(1, release);
    }
    for (unsigned n = 0; copy.header.load(acquire) == 0; ++n)
      membarrier_machine::back_off(n);
    return copy;
  }
};

TEST(SnapshotBroken, HandsOutACopyAlreadyBegun) {
  expect_caught(protocol, "any", "a copy that was begun before the call", lacks_insert,
                [] {
                  const auto s = std::make_shared<shared_copy>();
                  return program{{{"inserter",
                                   [s] {
                                     s->filter.insert(a);
                                     s->done.send();
                                   }},
                                  {"first", [s] { s->snapshot(); }},
                                  {"second", [s] {
                                     if (s->done.received() == 0) return;
                                     require(s->snapshot().contains(a), lacks_insert);
                                   }}}};
                });
}

// Words that nobody marked since the last copy are taken from it.  An insert that found
// its bits set by another, who has not marked them yet, marks nothing and returns.
struct copies_dirty_words : toy_filter {
  std::array<atomic<unsigned>, toy_words> dirty;

  void insert(const toy_key& k) {
    const auto lacks = missing(k);
    for (std::size_t i = 0; i < toy_words; ++i) {
      if (!lacks[i]) continue;
      words[i].fetch_or(k.bits[i], relaxed);
      dirty[i].store(1, relaxed);
    }
  }
  void snapshot(image& to) const {  // over the last copy
    for (std::size_t i = 0; i < toy_words; ++i)
      if (dirty[i].load(relaxed) != 0) to.words[i].set(words[i].load(relaxed));
    to.ones.set(to.counted());
  }
};

TEST(SnapshotBroken, CopiesDirtyWordsOnly) {
  expect_caught(protocol, "any", "clean words from the last copy", lacks_insert, [] {
    const auto s = std::make_shared<shared<copies_dirty_words>>();
    return program{{{"inserter", [s] { insert(*s, 0, a); }},
                    {"inserter", [s] { insert(*s, 1, a); }},
                    {"copier", [s] {
                       const bool knows = s->done[1].received() != 0;
                       s->filter.snapshot(s->copies[0]);
                       if (knows) require(s->copies[0].contains(a), lacks_insert);
                     }}}};
  });
}

}  // namespace
}  // namespace interleave::snapshot_test
