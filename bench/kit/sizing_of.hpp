// The plan to measure any filter that can be made, inserted into and built whole.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "kit/measure.hpp"

namespace bloomery::bench {

template <insertable F>
plan plan_of(std::string kind, std::uint64_t keys, double fpr) {
  using made_subject = std::unique_ptr<subject>;
  const auto as_subject = [](result<F> made) -> result<made_subject> {
    if (!made) return made.error();
    return made_subject(new filter_subject<F>(*std::move(made)));
  };
  plan p;
  p.kind = std::move(kind);
  p.keys = keys;
  p.fpr = fpr;
  const typename F::params wanted{.keys = keys, .fpr = fpr};
  p.make = [=] { return as_subject(F::make(wanted)); };
  if constexpr (requires(std::span<const key> ks) { F::build(ks, wanted, 2u); })
    p.build = [=](std::span<const key> ks, unsigned threads) {
      return as_subject(F::build(ks, wanted, threads));
    };
  return p;
}

}  // namespace bloomery::bench
