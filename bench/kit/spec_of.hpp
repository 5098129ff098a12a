// What there is to know of a filter of any kind, to measure it.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <bloomery/kinds.hpp>

#include "kit/measure.hpp"
#include "kit/textbook_subject.hpp"
#include "kit/v3.hpp"

namespace bloomery::bench {

template <buildable F>
result<F> build_whole(std::span<const key> ks, const typename F::params& p,
                      [[maybe_unused]] unsigned threads) {
  if constexpr (buildable_by_threads<F>)
    return F::build(ks, p, threads);
  else if constexpr (buildable_by_params<F>)
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
  s.kernel = F::kernel_name();
  s.v3 = v3_loops_of(static_cast<unsigned>(F::kind.number));
  s.make_textbook = textbook_of<F>(keys, fpr);
  if constexpr (growing<F>)
    s.make = [=]() -> result<std::unique_ptr<growing_subject>> {
      auto made = F::make(wanted);
      if (!made) return made.error();
      return std::unique_ptr<growing_subject>(new filter_subject<F>(*std::move(made)));
    };
  if constexpr (buildable_by_threads<F> || !growing<F>) {
    s.build_takes_threads = buildable_by_threads<F>;
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
