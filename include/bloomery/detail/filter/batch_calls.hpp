// The calls that take many keys as callers have them, over the batch calls of a filter:
// hashed a group at a time (hashed_groups.hpp), or by the filter itself in the pass that
// looks them up.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/core_parts.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/source_checks.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1::detail {
inline namespace BLOOMERY_BY_ISA {

// f fetches lines while the caller hashes [first, last) (hashed_groups.hpp).
template <class F, class It, class End>
concept fetches_for = core_fetches<F> && steady_texts<It, End>;
// f may hash them itself.
template <class F, class It, class End>
concept hashes_for = core_finds_integers<F> && stored_integers<It, End>;

template <class It, class End>
BLOOMERY_INLINE std::span<const std::uint64_t> integers_of(It first, const End& last) {
  if (first == last) return {};
  return {reinterpret_cast<const std::uint64_t*>(&*first),
          static_cast<std::size_t>(last - first)};
}

// Keys whose lines are there: one by one where that is inline, otherwise one call for
// all.
inline constexpr bool inline_vectors =
    !std::same_as<block_probe::native, block_probe::dispatched>;
template <class F>
BLOOMERY_INLINE void add_fetched(F& f, std::span<const key> ks) noexcept {
  if constexpr (inline_vectors)
    for (const key k : ks) f.insert(k);
  else
    core_parts::add_fetched(f, ks);
}
template <class F>
BLOOMERY_INLINE void find_fetched(const F& f, std::span<const key> ks,
                                  std::span<bool> out) noexcept {
  if constexpr (inline_vectors)
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = f.may_contain(ks[i]);
  else
    core_parts::find_fetched(f, ks, out);
}

template <class F, class It, class End>
void add_groups(F& f, It first, const End& last) {
  if constexpr (fetches_for<F, It, End>) {
    if (const auto lines = core_parts::lines_of(f))
      return for_each_fetched_group(
          f.hasher(), lines, std::move(first), last,
          [&](std::span<const key> ks, std::size_t) { return add_fetched(f, ks), true; });
  }
  for_each_group(f.hasher(), std::move(first), last,
                 [&](std::span<const key> ks) { return f.insert(ks), true; });
}

template <class Done, class F, class It, class End>
Done insert_groups(F& f, It first, const End& last) {
  check_source<F, std::iter_reference_t<It>>();
  if constexpr (!std::is_void_v<Done>)
    if (!takes<std::iter_reference_t<It>>(f))
      return no_key_of_it<std::iter_reference_t<It>>();
  if constexpr (std::is_void_v<Done>) {
    add_groups(f, std::move(first), last);
  } else {
    Done done;
    for_each_group(f.hasher(), std::move(first), last, [&](std::span<const key> ks) {
      done = f.insert(ks);
      return done.has_value();
    });
    return done;
  }
}

// put(keys, answer), a group at a time; answer(keys, answers) is `asked`, or what does
// the same where lines have been fetched.
template <class F, class It, class End, class Asked, class Put>
void ask_groups(const F& f, It first, const End& last, Asked asked, Put put) {
  if constexpr (Asked::only_reads && fetches_for<F, It, End>) {
    if (const auto lines = core_parts::lines_of(f)) {
      for_each_fetched_group(f.hasher(), lines, std::move(first), last,
                             [&](std::span<const key> ks, std::size_t) {
                               put(ks,
                                   [&f](std::span<const key> some, std::span<bool> out) {
                                     find_fetched(f, some, out);
                                   });
                               return true;
                             });
      return;
    }
  }
  for_each_group(f.hasher(), std::move(first), last,
                 [&](std::span<const key> ks) { return put(ks, asked), true; });
}

// asked(keys, answers), a group at a time, into `out`, which has room for exactly all.
template <class F, class It, class End, class Asked>
void answer_groups(const F& f, It first, const End& last, std::span<bool> out,
                   Asked asked) {
  check_source<F, std::iter_reference_t<It>>();
  std::size_t done = 0;
  if (!takes<std::iter_reference_t<It>>(f)) {
    for (; first != last; ++first, ++done) {
      if (done == out.size()) require_answers(done + 1, out.size());
      out[done] = true;
    }
    return require_answers(done, out.size());
  }
  if constexpr (Asked::only_reads && hashes_for<F, It, End>) {
    const auto xs = integers_of(first, last);
    require_answers(xs.size(), out.size());
    if (core_parts::finds_integers(f, xs, out)) return;
  }
  ask_groups(f, std::move(first), last, asked,
             [&](std::span<const key> ks, const auto& answer) {
               // Before anything is written past their end.
               if (ks.size() > out.size() - done)
                 require_answers(done + ks.size(), out.size());
               answer(ks, out.subspan(done, ks.size()));
               done += ks.size();
             });
  require_answers(done, out.size());
}

// The same to an output iterator, whose end it returns.
template <class F, class It, class End, std::output_iterator<bool> Out, class Asked>
Out answer_groups(const F& f, It first, const End& last, Out out, Asked asked) {
  check_source<F, std::iter_reference_t<It>>();
  if (!takes<std::iter_reference_t<It>>(f)) {
    for (; first != last; ++first) *out++ = true;
    return out;
  }
  std::array<bool, hashed_group> answers;
  ask_groups(f, std::move(first), last, asked,
             [&](std::span<const key> ks, const auto& answer) {
               answer(ks, std::span(answers).first(ks.size()));
               for (std::size_t i = 0; i < ks.size(); ++i) *out++ = answers[i];
             });
  return out;
}

template <class F>
struct lookup_in {
  static constexpr bool only_reads = true;
  const F& f;
  void operator()(std::span<const key> ks, std::span<bool> out) const {
    f.may_contain(ks, out);
  }
};
template <class F>
lookup_in(const F&) -> lookup_in<F>;

template <class F>
concept inserts_absent_batches = requires(F& f, std::span<const key> ks,
                                          std::span<bool> out) {
  f.insert_if_absent(ks, out);
};

// Uses the filter's batch call, if it has one.
template <class F>
struct insert_absent_in {
  static constexpr bool only_reads = false;
  F& f;
  void operator()(std::span<const key> ks, std::span<bool> out) const {
    if constexpr (inserts_absent_batches<F>)
      f.insert_if_absent(ks, out);
    else
      for (std::size_t i = 0; i < ks.size(); ++i) out[i] = f.insert_if_absent(ks[i]);
  }
};
template <class F>
insert_absent_in(F&) -> insert_absent_in<F>;

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1::detail
