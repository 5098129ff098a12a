// The loops of a quotient filter that threads share.  Each kernel's file includes this
// under its own target attributes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/protocol.hpp>

#include "kind/quotient/kernel/batch.hpp"
#include "kind/quotient/kernel/lookup.hpp"
#include "kind/quotient/kernel/table.hpp"

namespace bloomery::kernel {
namespace {

template <class Select>
struct shared_quotient_loops {
  using stripes = shared_quotient_kernel::stripes;
  using calls = shared_quotient<stripes, Select>;

  static quotient_result result_of(quotient_outcome o) noexcept {
    return static_cast<quotient_result>(o);
  }
  BLOOMERY_INLINE static std::uint64_t fingerprint(const stripes& all,
                                                   std::uint64_t h) noexcept {
    return all.layout().fingerprint(key::from_bits(h));
  }

  // By the vector instructions of quotient_lookup where there are some: one attempt at
  // what mostly holds.  Plain loads, with a fence in place of their order (words.hpp says
  // why that is no harm); the home stripe's version is enough (quotient_stripes.hpp).
  BLOOMERY_INLINE static bool has(const stripes& all, std::uint64_t f) noexcept {
    if constexpr (requires { typename Select::columns; }) {
      const quotient_lookup<Select> now(all.layout(), all.words().data());
      const auto& home = *all.stripe_at(f >> all.layout().remainder_bits >> 6);
      const std::uint64_t version = home.version();
      bool yes;
      const bool clear = now.has_at_once(f, now.template find<false>(f), yes);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (clear && !stripes::stripe::is_held(version) && home.is_still(version))
          [[likely]]
        return yes;
    }
    return in_attempts(all, f);
  }
  [[gnu::noinline]] static bool in_attempts(const stripes& all,
                                            std::uint64_t f) noexcept {
    return calls(all).may_contain(f);
  }

  static bool may_contain(const stripes& all, std::uint64_t h) noexcept {
    return has(all, fingerprint(all, h));
  }
  static bool count(const stripes& all, std::uint64_t h, std::uint64_t& copies) noexcept {
    return calls(all).count(fingerprint(all, h), copies);
  }
  static quotient_result insert(const stripes& all, std::uint64_t h) noexcept {
    return result_of(calls(all).insert(fingerprint(all, h)));
  }
  static quotient_result erase(const stripes& all, std::uint64_t h) noexcept {
    return result_of(calls(all).erase(fingerprint(all, h)));
  }

  struct to_fetch {
    const stripes& all;
    BLOOMERY_INLINE void operator()(std::uint64_t f) const noexcept {
      const quotient_layout& l = all.layout();
      const std::uint64_t b = f >> l.remainder_bits >> 6;
      __builtin_prefetch(all.stripe_at(b));
      all.words().fetch(b * l.block_words());
      all.words().fetch((b + 1) * l.block_words() - 1);
      all.words().fetch(l.offsets_at() + b / 8);
    }
  };

  static void query(const stripes& all, const key* ks, std::size_t n,
                    bool* out) noexcept {
    for_each_fingerprint(
        all.layout(), ks, n, to_fetch{all},
        [&](std::size_t i, std::uint64_t f) noexcept { out[i] = has(all, f); });
  }
  static std::size_t insert_many(const stripes& all, const key* ks,
                                 std::size_t n) noexcept {
    const calls f(all);
    std::size_t in = 0;
    bool refused = false;
    for_each_fingerprint(all.layout(), ks, n, to_fetch{all},
                         [&](std::size_t, std::uint64_t x) noexcept {
                           if (refused) return;
                           refused = f.insert(x) != quotient_outcome::done;
                           in += !refused;
                         });
    return in;
  }
  static void erase_many(const stripes& all, const key* ks, std::size_t n,
                         bool* erased) noexcept {
    const calls f(all);
    for_each_fingerprint(all.layout(), ks, n, to_fetch{all},
                         [&](std::size_t i, std::uint64_t x) noexcept {
                           erased[i] = f.erase(x) == quotient_outcome::done;
                         });
  }

  static constexpr shared_quotient_kernel all() noexcept {
    return {may_contain, count, insert, erase, query, insert_many, erase_many};
  }
};

}  // namespace
}  // namespace bloomery::kernel
