// The library's shared_cuckoo with the parts of an insert as calls, and the program that
// cuckoo_test.cpp and cuckoo_broken_test.cpp share.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "check.hpp"
#include "checked_cuckoo.hpp"

namespace interleave::cuckoo_test {

using bloomery::cuckoo_insert;

inline constexpr const char* protocol = "cuckoo";
inline constexpr const char* false_negative = "a tag that is in is not found";
inline constexpr const char* lost = "a tag is lost";
inline constexpr const char* doubled = "a tag is there twice";
inline constexpr const char* refused = "a key is refused though there is room";

// Bucket 2 lies in two words.  One that can move, one that shares its first bucket.
inline constexpr cuckoo_place moving = across(2, 0), beside = across(2, 1);
static_assert(moving.tag != 0 && beside.tag != 0 && moving.second != beside.second);

// With the parts of an insert as calls.
template <unsigned Tries = 2, unsigned Rounds = 2>
struct open : cuckoo_of<Tries, Rounds> {
  using base = cuckoo_of<Tries, Rounds>;
  using search = bloomery::cuckoo_search<bloomery::fixed_tags<6>>;

  explicit open(base&& b) : base(std::move(b)) {}
  static bloomery::result<open> make(const checked_words& w,
                                     const bloomery::cuckoo_probe& p) {
    return open(*base::make(w, p));
  }

  // From its first bucket, slot 0, or from its second.
  void move(const cuckoo_place& p, bool forth) {
    const typename base::template buckets<bloomery::fixed_tags<6>> b(this->words(),
                                                                     six_bits);
    const auto [from, to] =
        forth ? std::pair(p.first, p.second) : std::pair(p.second, p.first);
    typename base::pair_hold hold(*this, from, to);
    (void)base::move(b, {from, to, 0, p.tag}, hold);
  }
  bool has(const cuckoo_place& p) const { return base::has(six_bits, p); }
  cuckoo_insert insert(const cuckoo_place& p) { return base::insert(six_bits, p); }
  bool erase(const cuckoo_place& p) { return base::erase(six_bits, p); }
};
using sound = open<>;

// A tag moves, forth or back or both; a reader looks for it.
template <class Filter>
std::function<program()> moved(bool forth, bool again) {
  return [forth, again] {
    const auto s = std::make_shared<checked_cuckoo<Filter>>();
    s->put(forth ? moving.first : moving.second, 0, moving.tag);
    program p;
    p.threads.push_back({"mover", [s, forth, again] {
                           s->filter.move(moving, forth);
                           if (again) s->filter.move(moving, !forth);
                         }});
    p.threads.push_back(
        {"reader", [s] { require(s->filter.has(moving), false_negative); }});
    p.at_end = [s] { require(s->count(moving) == 1, lost); };
    return p;
  };
}

}  // namespace interleave::cuckoo_test
