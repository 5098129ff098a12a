// Protocol 10, the cuckoo filter, with faults: each must be caught.
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "check.hpp"
#include "checked_cuckoo.hpp"
#include "open_cuckoo.hpp"

namespace interleave::cuckoo_test {
namespace {

struct without_versions : sound {
  using sound::sound;
  static bloomery::result<without_versions> make(const checked_words& w,
                                                 const bloomery::cuckoo_probe& p) {
    return without_versions(*sound::make(w, p));
  }
  explicit without_versions(sound&& s) : sound(std::move(s)) {}
  bool has(const cuckoo_place& p) const {
    const buckets<bloomery::fixed_tags<6>> b(words(), six_bits);
    const auto x = b.load(p.first, acquire);
    const auto y = b.load(p.second, acquire);
    return b.tags().has(x, y, p.tag);
  }
};

template <class Make>
struct variant : sound {
  explicit variant(sound&& s) : sound(std::move(s)) {}
  static bloomery::result<Make> make(const checked_words& w,
                                     const bloomery::cuckoo_probe& p) {
    return Make(*sound::make(w, p));
  }
  using six = buckets<bloomery::fixed_tags<6>>;
};

// A relaxed load of the data lets the second look at the versions be an early one.
struct relaxed_loads : variant<relaxed_loads> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (int i = 0; i < 2; ++i) {
      const reading now(stripe_of(p.first));
      const auto x = b.load(p.first, relaxed);
      const auto y = b.load(p.second, relaxed);
      if (b.tags().has(x, y, p.tag)) return true;
      if (now.is_whole()) return false;
    }
    return true;
  }
};

// Compares versions, and takes an odd one for as good as an even one.
struct ignores_a_writer : variant<ignores_a_writer> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (int i = 0; i < 2; ++i) {
      const auto v = stripe_of(p.first).version();
      const auto x = b.load(p.first, acquire);
      const auto y = b.load(p.second, acquire);
      if (b.tags().has(x, y, p.tag)) return true;
      if (stripe_of(p.first).is_still(v)) return false;
    }
    return true;
  }
};

// Reads the versions of the two one after the other, each with its bucket.
struct bucket_by_bucket : variant<bucket_by_bucket> {
  using variant::variant;
  bool has(const cuckoo_place& p) const {
    const six b(words(), six_bits);
    for (const std::uint64_t bucket : {p.first, p.second}) {
      const auto& s = stripe_of(bucket);
      bool whole = false;
      for (int i = 0; i < 2 && !whole; ++i) {
        const auto v = s.version();
        if (b.tags().has(b.load(bucket, acquire), p.tag)) return true;
        whole = v % 2 == 0 && s.is_still(v);
      }
      if (!whole) return true;
    }
    return false;
  }
};

// Moves with what the subclass does to the stripes and in what order it stores.
template <class Make, std::memory_order Store>
struct moves_by_itself : variant<Make> {
  using variant<Make>::variant;
  void store(const cuckoo_place& p, bool forth) {
    const typename moves_by_itself::six b(this->words(), six_bits);
    b.store(forth ? p.second : p.first, 0, p.tag, Store);
    b.store(forth ? p.first : p.second, 0, 0, Store);
  }
};

// Copied first, deleted afterwards, and no version.
struct copy_then_clear : moves_by_itself<copy_then_clear, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) { store(p, forth); }
};
struct relaxed_stores : moves_by_itself<relaxed_stores, relaxed> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    pair_hold hold(*this, p.first, p.second);
    hold.begin_change();
    store(p, forth);
  }
};
struct same_version_after : moves_by_itself<same_version_after, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    pair_hold hold(*this, p.first, p.second);
    store(p, forth);
  }
};
// The stripe of the bucket it moves to, then that of the other.
struct one_stripe_after_the_other : moves_by_itself<one_stripe_after_the_other, release> {
  using moves_by_itself::moves_by_itself;
  void move(const cuckoo_place& p, bool forth) {
    const six b(words(), six_bits);
    const auto [from, to] =
        forth ? std::pair(p.first, p.second) : std::pair(p.second, p.first);
    stripe_of(from).lock();
    b.store(from, 0, 0, release);
    stripe_of(from).unlock();
    stripe_of(to).lock();
    b.store(to, 0, p.tag, release);
    stripe_of(to).unlock();
  }
};

template <class Filter>
void not_found(const char* fault, bool forth = true, bool again = false) {
  expect_caught(protocol, "any", fault, false_negative, moved<Filter>(forth, again));
}

TEST(CuckooBroken, Readers) {
  not_found<without_versions>("a reader without versions", false);
  not_found<without_versions>("a reader without versions, there and back", true, true);
  not_found<ignores_a_writer>("does not mind a stripe that is held", false);
  not_found<relaxed_loads>("relaxed loads of the data");
  not_found<bucket_by_bucket>("a bucket and its version after the other", false);
}

TEST(CuckooBroken, Movers) {
  not_found<copy_then_clear>("copy, then clear, without versions", false);
  not_found<relaxed_stores>("relaxed stores of the data");
  not_found<same_version_after>("the version is the same after a change", false);
  not_found<one_stripe_after_the_other>("one stripe after the other");
}

// In the order of the buckets, not of the stripes.
struct locks_in_any_order : variant<locks_in_any_order> {
  using variant::variant;
  void move(const cuckoo_place& p, bool forth) {
    auto &first = stripe_of(forth ? p.first : p.second),
         &second = stripe_of(forth ? p.second : p.first);
    first.lock();
    second.lock();
    second.unlock_unchanged();
    first.unlock_unchanged();
  }
};

TEST(CuckooBroken, LockOrder) {
  expect_caught(protocol, "any", "stripes locked in any order", "deadlock", [] {
    const auto s = std::make_shared<checked_cuckoo<locks_in_any_order>>();
    return program{{{"forth", [s] { s->filter.move(moving, true); }},
                    {"back", [s] { s->filter.move(moving, false); }}}};
  });
}

// Does what the search said, whatever is there now.
struct does_not_look_again : variant<does_not_look_again> {
  using variant::variant;
  void move(const cuckoo_place& p, bool) {
    const six b(words(), six_bits);
    const auto room = b.tags().empty(b.load(p.second, acquire));
    if (room == 0) return;
    pair_hold hold(*this, p.first, p.second);
    hold.begin_change();
    b.store(p.second, b.tags().first(room), p.tag, release);
    b.store(p.first, 0, 0, release);
  }
};

// Two who move a tag each into the same empty slot; or one moves what another erases.
template <class Filter>
std::function<program()> outdated() {
  return [] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(moving.first, 0, moving.tag);
    return program{{{"moves", [s] { s->filter.move(moving, true); }},
                    {"erases", [s] { s->told[0] = s->filter.erase(moving); }}},
                   [s] { require(s->count(moving) + s->told[0] == 1, doubled); }};
  };
}
TEST(CuckooBroken, NoSecondLook) {
  expect_holds(protocol, "any", outdated<sound>());
  expect_caught(protocol, "any", "moves what was read before the lock", doubled,
                outdated<does_not_look_again>());
}

// Under the stripe of one of its buckets.
struct holds_one_stripe : variant<holds_one_stripe> {
  using variant::variant;
  cuckoo_insert insert(const cuckoo_place& p) {
    pair_hold hold(*this, p.second, p.second);
    bool settled = false;
    return insert_if_room(six(words(), six_bits), p, hold, settled);
  }
};
TEST(CuckooBroken, OneStripe) {
  expect_caught(protocol, "any", "an insert holds one stripe", lost, [] {
    const auto s = std::make_shared<checked_cuckoo<holds_one_stripe>>();
    s->fill(beside.second, 0, 63);
    program p;
    for (const cuckoo_place& k :
         {moving, cuckoo_place{beside.second, beside.first, beside.tag}})
      p.threads.push_back({"inserts", [s, k] { (void)s->filter.insert(k); }});
    p.at_end = [s] { require(s->count(moving) == 1 && s->count(beside) == 1, lost); };
    return p;
  });
}

}  // namespace
}  // namespace interleave::cuckoo_test
