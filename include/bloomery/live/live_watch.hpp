// The metrics of a filter in use: from its status, from its bits when they were last
// read, and from the options below.
//
//   live_watch watch({.kind = "block_bloom", .asked_fpr = 0.01});
//   watch.sample(live, seconds);                 once per minute: reads every bit
//   const live_metrics m = watch.metrics(live);  at each scrape: cheap
//   watch.save_snapshot(live, "users.bloom");
//
// No background threads.  Works for live_filter, rekeyable_filter and, without fill,
// keys, forecast and snapshots, window_filter, whose generation is its epoch.
// Thread safety: sample, metrics, forecast and note_loaded one at a time; snapshots by
// any thread concurrently.  The filter may be used by all threads meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <bloomery/container.hpp>
#include <bloomery/detail/base/durations.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/growth_forecast.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/live/metrics.hpp>
#include <bloomery/detail/live/observed_rate.hpp>
#include <bloomery/detail/live/tenant_watch.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/result.hpp>
#include <bloomery/snapshot.hpp>

namespace bloomery::inline v1 {

namespace detail {

// Wrappers: a filter that is replaced as a whole, and one that is examined without a
// separate reader.
template <class Live>
concept has_generations = requires(const Live& live) {
  live.status().generation;
};
template <class Live, class Use>
concept examined_inside = requires(const Live& live, Use use) {
  live.examine(use);
};

}  // namespace detail

// Everything pointed to must outlive the watch.
struct watch_options {
  std::string_view name{};          // for a filter without a name
  std::string_view kind{};          // such as "block_bloom"
  double asked_fpr = 0;             // 0: not known, and then nothing is forecast
  tenant_watch* tenants = nullptr;  // marked at each sample
};

class BLOOMERY_EXPORT live_watch {
 public:
  explicit live_watch(const watch_options& o) noexcept : options_(o) {}
  live_watch(const live_watch&) = delete;

  // Reads every bit of the current filter, three times; meanwhile swap, clear and rebuild
  // wait.  `seconds`: on any clock of the caller, for the forecast.
  // Errors: invalid_argument (no later than the last sample of this generation): then the
  // last sample stays.
  template <class Live>
  result<void> sample(const Live& live, double seconds) noexcept {
    if constexpr (!detail::has_generations<Live>) {
      const auto now = live.status();
      return take(now.epoch, now.counts.lookups, {.realised_fpr = live.realised_fpr()},
                  seconds);
    } else {
      for (;;) {
        const live_status before = live.status();
        std::optional<result<void>> done;
        examine(live, [&](const auto& serving) {
          // Else another took over in between, and whose bits these are is not known.
          if (live.status().generation == before.generation)
            done = take_from(serving, before, seconds);
        });
        if (done) return *done;
      }
    }
  }

  // Figures from the bits are left out if another generation serves by now.  The observed
  // rate is that of the generation: of lookups since it was first sampled.
  template <class Live>
  live_metrics metrics(const Live& live) noexcept {
    const auto now = live.status();
    live_metrics m;
    if constexpr (detail::has_generations<Live>) {
      m = of_status(now);
    } else {
      m.generation = now.epoch;
      m.size_bytes = now.size_in_bytes;
      m.killed = now.killed;
      m.lookups = now.counts.lookups;
      m.inserts = now.counts.inserted;
    }
    add_what_is_known(m);
    return m;
  }

  // When the number of keys will exceed the target rate, on the clock of the samples.
  // Without a target rate: too_few_samples.
  growth forecast() const noexcept {
    return max_keys_ != 0 ? growth_.forecast(max_keys_) : growth{};
  }

  // save_snapshot of the current filter; meanwhile swap, clear and rebuild wait.
  // Counted if it succeeds.  Errors: out_of_memory, io.
  template <class Live>
  result<void> save_snapshot(const Live& live, path_ref path,
                             write_notes notes = {}) noexcept {
    if (notes.asked_fpr == 0) notes.asked_fpr = options_.asked_fpr;
    const auto start = std::chrono::steady_clock::now();
    result<void> saved;
    examine(live, [&](const auto& serving) {
      saved = bloomery::save_snapshot(serving, path, notes);
    });
    if (saved) note_snapshot(std::chrono::steady_clock::now() - start);
    return saved;
  }
  // Counts a snapshot that was taken by other means.
  void note_snapshot(std::chrono::nanoseconds took) noexcept {
    last_snapshot_.store(took.count(), std::memory_order_relaxed);
    snapshots_.fetch_add(1, std::memory_order_relaxed);
  }

  // Records the read_report of the file that this generation was loaded from; 1 is the
  // first.
  void note_loaded(const read_report& found, std::uint64_t generation = 1) noexcept {
    damaged_chunks_ = found.damaged_chunks;
    loaded_generation_ = generation;
  }

 private:
  struct figures {
    std::optional<double> fill{}, estimated_keys{}, realised_fpr{};
  };

  // use(what serves), once, while it cannot be replaced.
  template <class Live, class Use>
  static void examine(const Live& live, Use use) noexcept {
    if constexpr (detail::examined_inside<Live, Use>) {
      live.examine(use);
    } else {
      const auto hold = live.read();
      use(hold.filter());
    }
  }

  template <class F>
  result<void> take_from(const F& f, const live_status& now, double seconds) noexcept {
    if (!is_of(now.generation)) {
      const bool known = options_.asked_fpr != 0;
      begin(now.generation, now.counts.lookups,
            known ? static_cast<double>(keys_at_rate(f, options_.asked_fpr)) : 0);
    }
    return take(now.generation, now.counts.lookups,
                {f.fill(), f.estimated_keys(), f.realised_fpr()}, seconds);
  }

  bool is_of(std::uint64_t generation) const noexcept {
    return sampled_ && generation_ == generation;
  }
  void begin(std::uint64_t generation, const lookup_counts& lookups,
             double max_keys) noexcept;
  result<void> take(std::uint64_t generation, const lookup_counts& lookups,
                    const figures& bits, double seconds) noexcept;
  static live_metrics of_status(const live_status& now) noexcept;
  void add_what_is_known(live_metrics& m) noexcept;

  watch_options options_;
  // State of the generation that was sampled last.
  bool sampled_ = false;
  std::uint64_t generation_ = 0;
  lookup_counts at_its_beginning_;
  double max_keys_ = 0;  // with which it keeps the target rate; 0: not known
  figures bits_;
  double sampled_at_ = 0;
  growth_forecast growth_;

  std::uint64_t damaged_chunks_ = 0, loaded_generation_ = 0;
  std::atomic<std::uint64_t> snapshots_{0};
  std::atomic<std::int64_t> last_snapshot_{0};  // nanoseconds
};

}  // namespace bloomery::inline v1
