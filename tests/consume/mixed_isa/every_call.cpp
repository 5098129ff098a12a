// The calls that are inline, of every kind, for check_shared_functions.py: compiled with
// vector instructions, no function that another translation unit may have too may hold
// one.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/bloomery.hpp>

using namespace bloomery;

namespace {

template <class F>
[[gnu::always_inline]] inline std::size_t text_calls(
    F& f, const std::vector<std::string>& names, std::span<const std::string_view> views,
    std::span<bool> out) {
  std::size_t n = f.may_contain("a") + f.may_contain(std::string_view("b")) +
                  f.may_contain(names[0]) + f.may_contain(f.hash("x"));
  f.may_contain(names, out);
  f.may_contain(views, out);
  if constexpr (insertable<F>) {
    f.insert("a");
    f.insert(names);
    f.insert(views);
  }
  if constexpr (requires { f.insert_if_absent("z"); }) (void)f.insert_if_absent("z");
  if constexpr (bounded<F>) n += f.try_insert("a").has_value() + f.try_insert(names);
  if constexpr (erasable<F>) {
    n += f.erase_present("a").has_value();
    if (auto r = f.try_insert_with_receipt("q")) n += f.erase(std::move(*r)).has_value();
  }
  return n;
}

template <class F>
[[gnu::always_inline]] inline std::size_t integer_calls(
    F& f, const std::vector<std::uint64_t>& xs, std::span<bool> out) {
  std::size_t n = f.may_contain(42);
  f.may_contain(xs, out);
  if constexpr (requires { f.insert(xs); }) {
    f.insert(42);
    f.insert(xs);
  }
  if constexpr (requires { f.try_insert(xs); })
    n += f.try_insert(42).has_value() + f.try_insert(xs);
  return n;
}

}  // namespace

// One function for each type, in this file alone.
#define TEXT_CALLS(name, F)                                                     \
  std::size_t text_calls_of_##name(F& f, const std::vector<std::string>& names, \
                                   std::span<const std::string_view> views,     \
                                   std::span<bool> out) {                       \
    return text_calls(f, names, views, out);                                    \
  }
#define ALL_CALLS(name, F)                                                         \
  TEXT_CALLS(name, F)                                                              \
  std::size_t integer_calls_of_##name(                                             \
      F::integers& f, const std::vector<std::uint64_t>& xs, std::span<bool> out) { \
    return integer_calls(f, xs, out);                                              \
  }

ALL_CALLS(block, block_bloom)
ALL_CALLS(bloom, bloom)
ALL_CALLS(portable, portable_bloom)
ALL_CALLS(split_block, split_block_bloom)
ALL_CALLS(partitioned, partitioned_bloom)
ALL_CALLS(counting, counting_bloom)
ALL_CALLS(scalable, scalable_bloom)
ALL_CALLS(stable, stable_bloom)
ALL_CALLS(window, window_bloom)
ALL_CALLS(cuckoo, cuckoo)
ALL_CALLS(quotient, quotient)
ALL_CALLS(xor, xor_filter)
ALL_CALLS(fuse, fuse)
ALL_CALLS(ribbon, ribbon)
ALL_CALLS(shared_block, concurrent<block_bloom>)
ALL_CALLS(shared_counting, concurrent<counting_bloom>)
ALL_CALLS(shared_cuckoo, concurrent<cuckoo>)
ALL_CALLS(shared_scalable, concurrent<scalable_bloom>)
TEXT_CALLS(any, any_filter)
TEXT_CALLS(block_view, filter_view<block_bloom>)
TEXT_CALLS(fuse_view, filter_view<fuse>)

std::uint64_t hashes_of_sets(const filter_set<block_bloom>& several,
                             const packed_set& packed) {
  return several.hash("a").bits() ^ packed.hash("b").bits();
}
