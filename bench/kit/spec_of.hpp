// What there is to know of a filter of any kind, to measure it.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <utility>

#include <bloomery/block_bloom.hpp>
#include <bloomery/kinds.hpp>

#include "kit/measure.hpp"
#include "kit/textbook_subject.hpp"
#include "kit/v3.hpp"

namespace bloomery::bench {

// Kinds that several threads can build, and those that are made in no other way.
template <class F>
concept builds_by_threads = requires(std::span<const key> ks,
                                     const typename F::params& p) {
  { F::build(ks, p, 2u) } -> std::same_as<result<F>>;
};

// REQUIRES: builds_by_threads or build_only
template <askable F>
result<F> build_whole(std::span<const key> ks, const typename F::params& p,
                      [[maybe_unused]] unsigned threads) {
  if constexpr (builds_by_threads<F>)
    return F::build(ks, p, threads);
  else if constexpr (requires { F::build(ks, p); })
    return F::build(ks, p);
  else
    return F::build(ks);
}

// F: has `kind`, and `params` with keys and fpr.
template <askable F>
subject_spec spec_of(std::uint64_t keys, double fpr) {
  const typename F::params wanted{.keys = keys, .fpr = fpr};
  subject_spec s;
  s.kind = F::kind.name;
  s.hash = F::kind.hasher();
  s.keys = keys;
  s.fpr = fpr;
  // Filters without blocks name the vector instructions they use, if any.
  if constexpr (requires { F::kernel_name(); })
    s.kernel = F::kernel_name();
  else
    s.kernel = std::derived_from<F, block_storage> ? kernel_name() : "portable";
  s.v3 = v3_loops_of(static_cast<unsigned>(F::kind.number));
  s.make_textbook = textbook_of<F>(keys, fpr);
  if constexpr (growing<F>)
    s.make = [=]() -> result<std::unique_ptr<growing_subject>> {
      auto made = F::make(wanted);
      if (!made) return made.error();
      return std::unique_ptr<growing_subject>(new filter_subject<F>(*std::move(made)));
    };
  if constexpr (builds_by_threads<F> || !growing<F>) {
    s.build_takes_threads = builds_by_threads<F>;
    s.build = [=](std::span<const key> ks,
                  unsigned threads) -> result<std::unique_ptr<subject>> {
      auto made = build_whole<F>(ks, wanted, threads);
      if (!made) return made.error();
      return std::unique_ptr<subject>(new filter_subject<F>(*std::move(made)));
    };
  }
  return s;
}

}  // namespace bloomery::bench
