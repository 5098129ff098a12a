// One rebuild: a new generation is filled from the caller's source while the old one
// serves, and takes its place; or everything is as it was.
//
//   begin -> every insert writes to both -> wait for inserts that do not -> fill ->
//   check -> swap; on any error, exception or stop: back
//
// Contract: a key is in the source before insert() of it is called (write to the store,
// then insert), and the source is first asked after rebuild() was called (it opens its
// iterator then, not before).  Then no lookup that happens-after insert() says no:
// before, during and after the rebuild.  Why: an insert that did not see the new
// generation had begun before all saw it.  It is waited for, so its key was in the source
// before the first question.  An insert that sees both writes to both.  One that sees
// only the new one is seen by all who come after it, as they see the new one, too.
//
// A source has either of two shapes:
//   result<std::size_t>(std::span<key> out)   writes keys, says how many; 0: no more
//   result<void>(auto& put)                   calls put(string_view) for each; false: end
// It may throw: the exception passes through here, and what was begun is undone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/live/generations.hpp>
#include <bloomery/detail/live/rebuild_log.hpp>
#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/live/succession.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/key.hpp>
#include <bloomery/live_status.hpp>
#include <bloomery/rebuild_rules.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Takes what a source delivers, batch by batch.
template <class F>
class rebuild_intake {
 public:
  using phases = succession<numbered_filter<F>, thread_counts<>>;

  rebuild_intake(F& into, rebuild_rules& rules, rebuild_log& log, const phases& line,
                 std::span<key> room, std::span<bool> found) noexcept
      : into_(into), rules_(rules), log_(log), line_(line), room_(room), found_(found) {}
  rebuild_intake(const rebuild_intake&) = delete;

  // Of a source of bytes.  False: it is over, and the source should return.
  bool operator()(std::string_view bytes) {
    if (!state_) return false;
    room_[waiting_++] = into_.hash(bytes);
    return waiting_ < room_.size() || flush().has_value();
  }
  bool operator()(std::nullptr_t) = delete;

  result<void> flush() {
    if (state_ && waiting_ != 0) state_ = take(std::exchange(waiting_, 0));
    return state_;
  }

  // The first n of the room.
  result<void> take(std::size_t n) {
    const std::span<const key> ks = room_.first(n);
    into_.insert(ks);
    into_.may_contain(ks, found_.first(n));
    if (std::ranges::count(found_.first(n), true) != static_cast<std::ptrdiff_t>(n))
      return error{errc::corrupt, "the new generation denies a key that it was given"};
    log_.deliver(delivered_ += n);
    if (rules_.rate_is_due(delivered_))
      if (auto ok = rules_.check_rate(into_.realised_fpr()); !ok) return ok;
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
  F& into_;
  rebuild_rules& rules_;
  rebuild_log& log_;
  const phases& line_;
  std::span<key> room_;
  std::span<bool> found_;
  std::size_t waiting_ = 0;
  std::uint64_t delivered_ = 0;
  result<void> state_;
};

template <class Source, class F>
inline constexpr bool is_source_of_bytes =
    std::is_invocable_v<Source&, rebuild_intake<F>&>;

template <class F>
class rebuild_attempt {
 public:
  // Errors: invalid_argument (this thread reads; another rebuild runs; stopped),
  // unattainable (the rate), incompatible (ended early, a sentinel is missing), corrupt
  // (the self-check), out_of_memory, those of F::make and of the source.
  template <class Plan, class Source>
  static result<void> run(generations<F>& all, const Plan& plan, Source& source) {
    if (all.readers().pinned_here()) return all.would_wait_for_itself();
    auto rules = rebuild_rules::of(plan);
    if (!rules) return rules.error();
    {
      const std::lock_guard one_at_a_time(all.changing_);
      if (all.line_.phase() != rebuild_phase::idle)
        return error{errc::invalid_argument, "another rebuild is running"};
      all.line_.begin();
      all.log_.begin(rules->keys());
    }
    rebuild_attempt attempt(all);
    const auto done = attempt.go(plan, *rules, source);
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

  template <class Plan, class Source>
  result<void> go(const Plan& plan, rebuild_rules& rules, Source& source) {
    auto made = F::make(plan.params);
    if (!made) return made.error();
    const std::unique_ptr<key[]> room(new (std::nothrow) key[rules.batch()]);
    const std::unique_ptr<bool[]> found(new (std::nothrow) bool[rules.batch()]);
    next_.reset(new (std::nothrow) generation(*std::move(made)));
    if (next_ == nullptr || room == nullptr || found == nullptr)
      return error{errc::out_of_memory, "no memory for a rebuild"};

    all_.line_.announce(*next_);
    if (!all_.line_.enter(rebuild_phase::filling)) return was_stopped();
    rebuild_intake<F> intake(next_->value.filter, rules, all_.log_, all_.line_,
                             {room.get(), rules.batch()}, {found.get(), rules.batch()});
    if (auto ok = fill(intake, source); !ok) return ok;

    if (!all_.line_.enter(rebuild_phase::checking)) return was_stopped();
    if (auto ok = rules.check_delivered(intake.delivered()); !ok) return ok;
    if (auto ok = rules.check_rate(next_->value.filter.realised_fpr()); !ok) return ok;
    for (const auto& s : plan.sentinels)
      if (!next_->value.filter.may_contain(s))
        return error{errc::incompatible, "the source lacks a sentinel"};

    if (!all_.line_.enter(rebuild_phase::swapping)) return was_stopped();
    all_.publish(std::move(next_));
    why_.reset();
    return {};
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

  generations<F>& all_;
  std::unique_ptr<generation> next_;
  // Stays if an exception passes.
  std::optional<error> why_ = error{errc::io, "the source threw an exception"};
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
