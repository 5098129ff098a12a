// Our filters of integers, of every kind.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>

#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "kit/inserts.hpp"
#include "one_key/contender.h"

namespace bloomery::bench {

template <class F>
struct one_key_calls {
  using filter = typename F::integers;

  static filter& of(void* f) { return *static_cast<filter*>(f); }
  static const filter& of(const void* f) { return *static_cast<const filter*>(f); }
  static typename F::params params(std::uint64_t keys, unsigned bits) {
    return {.keys = keys, .fpr = std::exp2(-static_cast<double>(bits))};
  }
  // Null: a filter cannot be so.
  static void* moved(result<filter> made) {
    return made ? new filter(*std::move(made)) : nullptr;
  }

  static void* make(std::uint64_t keys, unsigned bits) requires growing<F> {
    return moved(filter::make(params(keys, bits)));
  }
  static void insert(void* f, const std::uint64_t* keys,
                     std::size_t count) requires growing<F> {
    filter& all = of(f);
    for (std::size_t i = 0; i < count; ++i)
      if constexpr (insertable<F>)
        all.insert(keys[i]);
      else
        require_accepted(all.try_insert(keys[i]).has_value());
  }
  static void* build(const std::uint64_t* keys, std::size_t count,
                     unsigned bits) requires(!growing<F>) {
    return moved(filter::build(std::span(keys, count), params(count, bits)));
  }

  [[gnu::noinline]] static bool contain(const filter& f, std::uint64_t key) {
    return f.may_contain(key);
  }
  static std::uint64_t count_called(const void* f, const std::uint64_t* keys,
                                    std::size_t count) {
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; ++i) yes += contain(of(f), keys[i]);
    return yes;
  }
  static std::uint64_t count_inline(const void* f, const std::uint64_t* keys,
                                    std::size_t count) {
    const filter& all = of(f);
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; ++i) yes += all.may_contain(keys[i]);
    return yes;
  }

  static std::size_t bytes(const void* f) { return of(f).size_in_bytes(); }
  static void free(void* f) { delete static_cast<filter*>(f); }

  static constexpr one_key_contender at(unsigned bits) {
    one_key_contender c{F::kind.name, bits,         forgetting<F>, nullptr, nullptr,
                        nullptr,      count_inline, count_called,  bytes,   free};
    if constexpr (growing<F>) {
      c.make = make;
      c.insert = insert;
    } else {
      c.build = build;
    }
    return c;
  }
};

}  // namespace bloomery::bench
