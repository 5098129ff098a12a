// One rebuild: a new generation is filled from the caller's source while the old one
// serves, then replaces it; on failure nothing has changed.
//
//   begin -> every insert writes to both -> wait for inserts that do not -> fill ->
//   check -> swap; on any error, exception or stop: back
//
// Contract: a key is in the source before insert() of it is called (write to the store,
// then insert), and the source is first read after rebuild() was called (it opens its
// iterator then, not before).  Then no lookup that happens-after insert() is a false
// negative: before, during and after the rebuild.  Why: an insert that did not see the
// new generation began before all threads saw it.  The rebuild waits for it, so its key
// was in the source before the source was first read.  An insert that sees both writes to
// both.  One that sees only the new one is seen by all later lookups, which see the new
// one, too.
//
// A kind that may refuse a key: a source with more keys than fit, or with more copies of
// one than it holds, ends the rebuild with that error.  So does an insert that fits into
// the old generation and not into the new one.  A key that is inserted meanwhile may be
// in the new one twice, by the source and by the insert. A kind that erases: erases are
// refused while a rebuild runs (docs/live.md).
//
// A kind that is only built has no inserts: a rebuild collects the distinct keys of its
// source and makes the new generation of them by F::build, between `fill` and `check`.  A
// key is then found if the source of the current generation had it, and a stop takes
// effect before and after F::build, not within.
//
// A source has either of two shapes:
//   result<std::size_t>(std::span<key> out)   writes keys, says how many; 0: no more
//   result<void>(auto& put)                   calls put(x) for each, x being text, bytes,
//                                             an integer, or a range of them; false: end
// It may throw: the exception propagates, and the rebuild is rolled back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/live/generations.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/live/rebuild_log.hpp>
#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/live/rebuild_rules.hpp>
#include <bloomery/detail/live/rebuild_target.hpp>
#include <bloomery/detail/live/succession.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Takes what a source delivers, batch by batch.
template <class F>
class rebuild_intake {
 public:
  using phases = succession<numbered_filter<F>, thread_counts<>>;

  rebuild_intake(rebuild_target<F>& into, rebuild_rules& rules, rebuild_log& log,
                 const phases& line, std::span<key> room) noexcept
      : into_(into), rules_(rules), log_(log), line_(line), room_(room) {}
  rebuild_intake(const rebuild_intake&) = delete;

  // For a source of bytes.  False: the rebuild has ended, and the source should return.
  // A key that is not of the hasher's source ends the rebuild: incompatible.
  bool operator()(std::string_view bytes) { return put_of_source(bytes); }
  bool operator()(std::nullptr_t) = delete;
  // Integers and other bytes: key_types.hpp.
  template <single_key T>
  requires(!detail::taken_as_is<const T&>) bool operator()(const T& x) {
    return put_of_source(x);
  }
  // All of a range, or as many as are wanted.
  template <key_range R>
  bool operator()(R&& xs) {
    for (auto&& x : xs)
      if (!(*this)(x)) return false;
    return true;
  }

  result<void> flush() {
    if (state_ && waiting_ != 0) state_ = take(std::exchange(waiting_, 0));
    return state_;
  }

  // The first n of the room.
  result<void> take(std::size_t n) {
    if (auto ok = into_.take(room_.first(n)); !ok) return ok;
    log_.deliver(delivered_ += n);
    if (rules_.rate_is_due(delivered_))
      if (auto ok = into_.check_amount(rules_); !ok) return ok;
    if (!rules_.go_on(delivered_))
      return error{errc::invalid_argument, "the rebuild was stopped by its pause"};
    rules_.keep_pace(n);
    if (line_.phase() == rebuild_phase::stopped)
      return error{errc::invalid_argument, "the rebuild was stopped"};
    return {};
  }

  std::span<key> room() const noexcept { return room_; }
  std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  template <class T>
  bool put_of_source(const T& x) {
    if constexpr (inserting<F>) detail::check_source<F, T>();
    if (detail::is_key_of<T>(into_.hasher().source()))
      return put(key_of(into_.hasher(), x));
    if (state_) state_ = detail::no_key_of_it<T>();
    return false;
  }
  bool put(key k) {
    if (!state_) return false;
    room_[waiting_++] = k;
    return waiting_ < room_.size() || flush().has_value();
  }

  rebuild_target<F>& into_;
  rebuild_rules& rules_;
  rebuild_log& log_;
  const phases& line_;
  std::span<key> room_;
  std::size_t waiting_ = 0;
  std::uint64_t delivered_ = 0;
  result<void> state_;
};

template <class Source, class F>
inline constexpr bool is_source_of_bytes =
    std::is_invocable_v<Source&, rebuild_intake<F>&>;

// Does not compile, and says what a source is, unless it is one.
template <class Source, class F>
constexpr void require_source() noexcept {
  constexpr bool gives_keys = std::is_invocable_v<Source&, std::span<key>>;
  static_assert(
      is_source_of_bytes<Source, F> || gives_keys,
      "a source of a rebuild is called with a std::span<bloomery::key> to fill, "
      "or, if it has bytes, with a `put` to call: "
      "[](auto& put) -> bloomery::result<void> { put(bytes); return {}; }");
  if constexpr (is_source_of_bytes<Source, F>)
    static_assert(
        std::is_convertible_v<std::invoke_result_t<Source&, rebuild_intake<F>&>,
                              result<void>>,
        "a source of bytes must return bloomery::result<void>, so that an error of the "
        "store can undo the rebuild: "
        "[](auto& put) -> bloomery::result<void> { put(bytes); return {}; }");
  else if constexpr (gives_keys)
    static_assert(std::is_convertible_v<std::invoke_result_t<Source&, std::span<key>>,
                                        result<std::size_t>>,
                  "a source of keys must return bloomery::result<std::size_t>: how many "
                  "it has written; 0: no more");
}

template <class F>
class rebuild_attempt {
 public:
  // Errors: invalid_argument (this thread reads; another rebuild runs; stopped),
  // unattainable (the rate), incompatible (ended early, a sentinel is missing), corrupt
  // (the self-check), out_of_memory, those of F::make or F::build and of the source; for
  // a kind that is only built, too_large (more than twice the keys of the request).
  template <class Request, class Source>
  static result<void> run(generations<F>& all, const Request& request, Source& source) {
    require_source<Source, F>();
    if (all.readers().pinned_here()) return all.would_deadlock();
    auto rules = rebuild_rules::of(request);
    if (!rules) return rules.error();
    {
      const stripe_guard one_at_a_time(all.changing_);
      if (all.line_.phase() != rebuild_phase::idle)
        return error{errc::invalid_argument, "another rebuild is running"};
      // Before the phase: who forks finds both.
      all.rebuilder_ = this_platform::thread_identity();
      all.rebuilt_from_ = all.line_.serving().value.number;
      all.line_.begin();
      all.log_.begin(rules->keys());
    }
    rebuild_attempt attempt(all);
    const auto done = attempt.go(request, *rules, source);
    if (!done) attempt.why_ = done.error();
    return done;
  }

  ~rebuild_attempt() {
    if (why_) all_.line_.abandon();
    next_.reset();
    all_.log_.end(why_);
    all_.line_.settle();
  }
  rebuild_attempt(const rebuild_attempt&) = delete;

 private:
  using generation = typename generations<F>::generation;

  explicit rebuild_attempt(generations<F>& all) noexcept : all_(all) {}

  template <class Request, class Source>
  result<void> go(const Request& request, rebuild_rules& rules, Source& source) {
    if (auto ok = make_next(request, rules, source); !ok) return ok;

    if (!all_.line_.enter(rebuild_phase::checking)) return was_stopped();
    if (auto ok = rules.check_delivered(delivered_); !ok) return ok;
    if (auto ok = rules.check_rate(next_->value.filter.realised_fpr()); !ok) return ok;
    for (const auto& s : request.sentinels)
      if (!next_->value.filter.may_contain(s))
        return error{errc::incompatible, "the source lacks a sentinel"};

    if (!all_.line_.enter(rebuild_phase::swapping)) return was_stopped();
    next_->value.lineage = all_.line_.serving().value.lineage;
    all_.publish(std::move(next_));
    why_.reset();
    return {};
  }

  // The new generation with all keys of the source.
  template <class Request, class Source>
  result<void> make_next(const Request& request, rebuild_rules& rules, Source& source) {
    auto made = F::make(request.params);
    if (!made) return made.error();
    const owned<key[]> room(new (std::nothrow) key[rules.batch()]);
    const owned<bool[]> found(new (std::nothrow) bool[rules.batch()]);
    next_.reset(new (std::nothrow) generation(*std::move(made)));
    if (next_ == nullptr || room == nullptr || found == nullptr) return no_memory();

    all_.line_.announce(*next_);
    if (!all_.line_.enter(rebuild_phase::filling)) return was_stopped();
    rebuild_target<F> target(next_->value.filter, {found.get(), rules.batch()});
    return fill(target, rules, {room.get(), rules.batch()}, source);
  }

  // Nobody writes, so nothing is announced and no write is waited for.
  template <class Request, class Source>
  requires build_only<F> result<void> make_next(const Request& request,
                                                rebuild_rules& rules, Source& source) {
    const owned<key[]> room(new (std::nothrow) key[rules.batch()]);
    const owned<bool[]> found(new (std::nothrow) bool[rules.batch()]);
    if (room == nullptr || found == nullptr) return no_memory();

    if (!all_.line_.enter(rebuild_phase::filling)) return was_stopped();
    rebuild_target<F> target(hasher_of(request.params));
    if (auto ok = fill(target, rules, {room.get(), rules.batch()}, source); !ok)
      return ok;
    // Both again later; a build that cannot serve need not be made.
    if (auto ok = rules.check_delivered(delivered_); !ok) return ok;
    if (all_.line_.phase() == rebuild_phase::stopped) return was_stopped();
    auto made = target.build(request.params, rules, {found.get(), rules.batch()});
    if (!made) return made.error();
    next_.reset(new (std::nothrow) generation(*std::move(made)));
    if (next_ == nullptr) return no_memory();
    return {};
  }

  // The hasher of the request, or the one before.  Queries use the old one while a
  // rebuild runs.
  template <class Params>
  bloomery::hasher hasher_of(const Params& p) const noexcept {
    if constexpr (params_with_hasher<Params>)
      return p.hasher;
    else
      return all_.line_.serving().value.filter.hasher();
  }

  template <class Source>
  result<void> fill(rebuild_target<F>& target, rebuild_rules& rules, std::span<key> room,
                    Source& source) {
    rebuild_intake<F> intake(target, rules, all_.log_, all_.line_, room);
    const result<void> filled = fill(intake, source);
    delivered_ = intake.delivered();
    return filled;
  }

  template <class Source>
  static result<void> fill(rebuild_intake<F>& intake, Source& source) {
    if constexpr (is_source_of_bytes<Source, F>) {
      const result<void> given = source(intake);
      if (auto ok = intake.flush(); !ok) return ok;
      return given;
    } else {
      for (;;) {
        const result<std::size_t> n = source(intake.room());
        if (!n) return n.error();
        if (*n == 0) return {};
        if (*n > intake.room().size())
          return error{errc::invalid_argument, "the source gave more keys than fit"};
        if (auto ok = intake.take(*n); !ok) return ok;
      }
    }
  }

  static error was_stopped() noexcept {
    return {errc::invalid_argument, "the rebuild was stopped"};
  }
  static error no_memory() noexcept {
    return {errc::out_of_memory, "no memory for a rebuild"};
  }

  generations<F>& all_;
  owned<generation> next_;
  std::uint64_t delivered_ = 0;
  // Stays if an exception passes.
  std::optional<error> why_ = error{errc::io, "the source threw an exception"};
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
