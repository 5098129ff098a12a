// spec/vectors/window_filters.json
#include <string>
#include <string_view>

#include <bloomery/window_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

// `rotate_every`: after so many inserts rotate() is called; 0: never.
void add_filter(json& cases, const window_shape& s, std::size_t count,
                std::size_t rotate_every = 0) {
  auto f = must(window_bloom::make(s));
  const auto keys = numbered("k", count);
  for (std::size_t i = 0; i < count; ++i) {
    f.insert(std::string_view(keys[i]));
    if (rotate_every != 0 && (i + 1) % rotate_every == 0) f.rotate();
  }
  std::string found;
  for (const std::string& k : keys)
    found += f.may_contain(std::string_view(k)) ? '1' : '0';
  std::size_t maybe = 0;
  for (const std::string& x : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(x));
  cases.push_back({{"profile", name_of(s.one.profile)},
                   {"generations", s.generations},
                   {"blocks", s.one.blocks},
                   {"generation_keys", s.generation_keys},
                   {"inserted", count},
                   {"rotate_every", rotate_every},
                   {"current", f.current()},
                   {"count", f.count()},
                   {"found", found},
                   {"maybe", maybe},
                   {"ones", f.ones()},
                   {"hex", to_hex(f.bytes())}});
}

}  // namespace

json window_filters() {
  json out;
  out["_comment"] = {
      "Whole window filters (spec/filters.md 14), keys hashed with XXH3-64 and seed 0.",
      "Keys: k0, k1, .. of which so many were inserted, in order; after each "
      "rotate_every",
      "of them (0: never) it was rotated by call.  blocks: of one generation;",
      "generation_keys: N.  current, count: c and n afterwards.  found: whether each of "
      "the",
      "keys is possibly present, in order; maybe: how many of x0 .. x999.  hex: all "
      "bytes,",
      "in the order of a file."};
  json& cases = out["cases"];
  for (const block_profile p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines}) {
    for (const std::size_t n : {0, 1, 2, 3, 10}) add_filter(cases, {{3, p}, 2, 1}, n);
    for (const std::size_t n : {0, 1, 5, 6, 19, 20, 21, 100})
      add_filter(cases, {{2, p}, 4, 5}, n);
    add_filter(cases, {{1, p}, 3, 0}, 10);
    add_filter(cases, {{1, p}, 3, 0}, 10, 4);
    add_filter(cases, {{1, p}, 3, 0}, 20, 4);
    add_filter(cases, {{1, p}, 3, 3}, 11, 2);
    add_filter(cases, {{1, p}, 3, 3}, 12, 5);
  }
  add_filter(cases, {{1, block_profile::half_line}, 70, 1}, 200);
  return out;
}

}  // namespace bloomery::vectors
