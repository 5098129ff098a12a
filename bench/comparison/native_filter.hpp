// A filter of this library behind the table of calls that all candidates share.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <bloomery/filter.hpp>
#include <bloomery/result.hpp>

#include "comparison/candidates.hpp"
#include "kit/count.hpp"
#include "kit/erases.hpp"
#include "kit/inserts.hpp"
#include "kit/one_key.hpp"
#include "kit/spec_of.hpp"
#include "peers/peer.h"

namespace bloomery::bench {

// F: of any kind; one that is only built has null for the inserts.
template <askable F>
class native_filter {
 public:
  static constexpr bloomery_peer calls() {
    bloomery_peer p{.name = F::kind.name,
                    .about = F::kind.summary,
                    .make = nullptr,
                    .insert = nullptr,
                    .insert_batched = nullptr,
                    .clear = nullptr,
                    .build = build,
                    .build_takes_threads = buildable_by_threads<F>,
                    .count = one_key<F>::count,
                    .count_batched = count_batched,
                    .ticks = one_key<F>::ticks,
                    .peak_bytes_per_key = 0,
                    .max_keys = 0,
                    .bytes = [](const void* f) { return of(f).size_in_bytes(); },
                    .free = [](void* f) { delete static_cast<F*>(f); }};
    if constexpr (growing<F>) {
      p.make = make;
      p.insert = one_key<F>::insert;
      p.insert_batched = insert_batched;
      p.clear = [](void* f) { static_cast<F*>(f)->clear(); };
    }
    return p;
  }

  static constexpr erase_calls erases() {
    if constexpr (erasable<F>)
      return {[](void* f, const std::uint64_t* keys, std::size_t count) {
                return erase_each(*static_cast<F*>(f), as_keys(keys, count));
              },
              [](void* f, const std::uint64_t* keys, std::size_t count) {
                return erase_batches(*static_cast<F*>(f), as_keys(keys, count));
              }};
    else
      return {};
  }

 private:
  using params = typename F::params;

  static const F& of(const void* f) { return *static_cast<const F*>(f); }
  static void* keep(result<F> made) { return made ? new F(*std::move(made)) : nullptr; }

  static void* make(std::uint64_t keys, double fpr) {
    return keep(F::make(params{.keys = keys, .fpr = fpr}));
  }

  static void* build(const std::uint64_t* keys, std::size_t count, double fpr,
                     unsigned threads) {
    const params wanted{.keys = count, .fpr = fpr};
    if constexpr (buildable_by_threads<F> || !growing<F>) {
      return keep(build_whole<F>(as_keys(keys, count), wanted, threads));
    } else {
      auto made = F::make(wanted);
      if (!made) return nullptr;
      insert_whole(*made, as_keys(keys, count));
      return keep(std::move(made));
    }
  }

  static void insert_batched(void* f, const std::uint64_t* keys, std::size_t count) {
    insert_batches(*static_cast<F*>(f), as_keys(keys, count));
  }

  static std::uint64_t count_batched(const void* f, const std::uint64_t* keys,
                                     std::size_t count) {
    std::array<bool, batch_keys> answers;
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; i += batch_keys) {
      const auto part = as_keys(keys + i, std::min(batch_keys, count - i));
      const auto out = std::span(answers).first(part.size());
      of(f).may_contain(part, out);
      yes += count_yes(out);
    }
    return yes;
  }
};

}  // namespace bloomery::bench
