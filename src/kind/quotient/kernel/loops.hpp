// The loops of a quotient filter over one way to find the n-th bit of a word.  Each
// kernel's file includes this under its own target attributes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/changes.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

#include "kind/quotient/kernel/batch.hpp"
#include "kind/quotient/kernel/lookup.hpp"
#include "kind/quotient/kernel/shared_loops.hpp"
#include "kind/quotient/kernel/table.hpp"

namespace bloomery::kernel {
namespace {

template <class Select>
struct quotient_loops {
  static constexpr bool has_columns = requires { typename Select::columns; };
  using reading = quotient_runs<plain_words<const std::byte>, Select>;
  using writing = quotient_changes<plain_words<std::byte>, Select>;

  static quotient_result result_of(quotient_outcome o) noexcept {
    return static_cast<quotient_result>(o);
  }

  static unsigned select(std::uint64_t word, unsigned n) noexcept {
    return Select::bit_at(word, n);
  }
  BLOOMERY_INLINE static bool has(const quotient_layout& l, const std::byte* data,
                                  std::uint64_t f) noexcept {
    if constexpr (has_columns) {
      const quotient_lookup<Select> all(l, data);
      return all.has(f, all.template find<false>(f));
    } else {
      return reading(l, {data}).may_contain(f);
    }
  }
  static bool may_contain(const quotient_layout& l, const std::byte* data,
                          std::uint64_t h) noexcept {
    return has(l, data, l.fingerprint(key::from_bits(h)));
  }
  static std::uint64_t count(const quotient_layout& l, const std::byte* data,
                             std::uint64_t h) noexcept {
    const reading runs(l, {data});
    const std::uint64_t f = l.fingerprint(key::from_bits(h));
    const quotient_run run = runs.find(f >> l.remainder_bits);
    if (run.state == run_state::unknown) return quotient_layout::max_count;
    if (run.state == run_state::none) return 0;
    return runs.count_in(run, f & ((std::uint64_t{1} << l.remainder_bits) - 1));
  }
  static quotient_result insert(const quotient_layout& l, std::byte* data,
                                std::uint64_t h) noexcept {
    return result_of(writing(l, {data}).insert(l.fingerprint(key::from_bits(h))));
  }
  static quotient_result erase(const quotient_layout& l, std::byte* data,
                               std::uint64_t h) noexcept {
    return result_of(writing(l, {data}).erase(l.fingerprint(key::from_bits(h))));
  }

  struct to_fetch {
    const quotient_layout& l;
    const std::byte* data;
    BLOOMERY_INLINE void operator()(std::uint64_t f) const noexcept {
      const std::uint64_t b = f >> l.remainder_bits >> 6;
      const std::byte* const block = data + 8 * b * l.block_words();
      __builtin_prefetch(block);
      __builtin_prefetch(block + 8 * l.block_words() - 1);
      __builtin_prefetch(data + 8 * l.offsets_at() + b);
    }
  };

  // use(i, fingerprint) for every key, in order, with its block on the way.
  template <class Use>
  BLOOMERY_INLINE static void for_each(const quotient_layout& l, const std::byte* data,
                                       const key* ks, std::size_t n, Use use) noexcept {
    for_each_fingerprint(l, ks, n, to_fetch{l, data}, use);
  }

  static void query(const quotient_layout& l, const std::byte* data, const key* ks,
                    std::size_t n, bool* out) noexcept {
    if constexpr (has_columns) {
      query_by_columns(l, data, ks, n, out);
    } else {
      for_each(l, data, ks, n, [&](std::size_t i, std::uint64_t f) noexcept {
        out[i] = has(l, data, f);
      });
    }
  }

  // A group at a time: all runs, then all remainders.
  static void query_by_columns(const quotient_layout& l, const std::byte* data,
                               const key* ks, std::size_t n, bool* out) noexcept {
    constexpr std::size_t room = 64, most = quotient_plan.group;
    std::array<std::uint64_t, room> fingerprints;
    const quotient_lookup<Select> all(l, data);
    fetch_ahead<quotient_plan>(
        n,
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i) {
            const std::uint64_t f = l.fingerprint(ks[i]);
            all.fetch(f);
            fingerprints[i % room] = f;
          }
        },
        [&](std::size_t first, std::size_t count) noexcept {
          std::array<typename quotient_lookup<Select>::place, most> places;
          // Those whose quotients are occupied, 6 of 10 in a full filter.
          std::array<std::size_t, most> left;
          std::size_t n_left = 0;
          for (std::size_t i = first; i < first + count; ++i) {
            left[n_left] = i;
            n_left += all.is_occupied(fingerprints[i % room]);
            out[i] = false;
          }
          for (std::size_t j = 0; j < n_left; ++j)
            places[j] = all.template find<true>(fingerprints[left[j] % room]);
          for (std::size_t j = 0; j < n_left; ++j)
            out[left[j]] = all.has(fingerprints[left[j] % room], places[j]);
        });
  }
  static std::size_t insert_many(const quotient_layout& l, std::byte* data, const key* ks,
                                 std::size_t n) noexcept {
    writing runs(l, {data});
    std::size_t in = 0;
    bool refused = false;
    for_each(l, data, ks, n, [&](std::size_t, std::uint64_t f) noexcept {
      if (refused) return;
      refused = runs.insert(f) != quotient_outcome::done;
      in += !refused;
    });
    return in;
  }
  static void erase_many(const quotient_layout& l, std::byte* data, const key* ks,
                         std::size_t n, bool* erased) noexcept {
    writing runs(l, {data});
    for_each(l, data, ks, n, [&](std::size_t i, std::uint64_t f) noexcept {
      erased[i] = runs.erase(f) == quotient_outcome::done;
    });
  }

  static constexpr quotient_kernel named(
      const char* name, decltype(quotient_kernel::merge) merge = nullptr) noexcept {
    return {name,
            select,
            may_contain,
            count,
            insert,
            erase,
            query,
            insert_many,
            erase_many,
            merge,
            shared_quotient_loops<Select>::all()};
  }
};

}  // namespace
}  // namespace bloomery::kernel
