// A filter of this library, as it enters the contest.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/filter.hpp>
#include <bloomery/result.hpp>

#include "kit/count.hpp"
#include "kit/one_key.hpp"
#include "peers/peer.h"

namespace bloomery::bench {

// A key is 64 bits and nothing else, so an array of hashes is an array of keys.
inline std::span<const key> as_keys(const std::uint64_t* keys, std::size_t count) {
  static_assert(sizeof(key) == sizeof(std::uint64_t) &&
                std::is_trivially_copyable_v<key>);
  return {reinterpret_cast<const key*>(keys), count};
}

template <insertable F>
class ours {
 public:
  static constexpr bloomery_peer entry(const char* name, const char* about) {
    return {.name = name,
            .about = about,
            .make = make,
            .insert = one_key<F>::insert,
            .insert_batched = insert_batched,
            .clear = [](void* f) { static_cast<F*>(f)->clear(); },
            .build = build,
            .build_takes_threads = builds_whole,
            .count = one_key<F>::count,
            .count_batched = count_batched,
            .ticks = one_key<F>::ticks,
            .peak_bytes_per_key = 0,
            .max_keys = 0,
            .bytes = [](const void* f) { return of(f).size_in_bytes(); },
            .free = [](void* f) { delete static_cast<F*>(f); }};
  }

 private:
  using params = typename F::params;
  static constexpr bool builds_whole = requires(std::span<const key> ks, params p) {
    { F::build(ks, p, 2u) } -> std::same_as<result<F>>;
  };
  // As large as a caller's batch may be; its answers stay in the L1 cache.
  static constexpr std::size_t batch = 1024;

  static const F& of(const void* f) { return *static_cast<const F*>(f); }
  static void* keep(result<F> made) { return made ? new F(*std::move(made)) : nullptr; }

  static void* make(std::uint64_t keys, double fpr) {
    return keep(F::make(params{.keys = keys, .fpr = fpr}));
  }

  static void* build(const std::uint64_t* keys, std::size_t count, double fpr,
                     [[maybe_unused]] unsigned threads) {
    if constexpr (builds_whole) {
      return keep(
          F::build(as_keys(keys, count), params{.keys = count, .fpr = fpr}, threads));
    } else {
      void* made = make(count, fpr);
      if (made != nullptr) static_cast<F*>(made)->insert(as_keys(keys, count));
      return made;
    }
  }

  static void insert_batched(void* f, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; i += batch)
      static_cast<F*>(f)->insert(as_keys(keys + i, std::min(batch, count - i)));
  }

  static std::uint64_t count_batched(const void* f, const std::uint64_t* keys,
                                     std::size_t count) {
    std::array<bool, batch> answers;
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < count; i += batch) {
      const auto part = as_keys(keys + i, std::min(batch, count - i));
      const auto out = std::span(answers).first(part.size());
      of(f).may_contain(part, out);
      yes += count_yes(out);
    }
    return yes;
  }
};

}  // namespace bloomery::bench
