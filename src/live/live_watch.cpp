#include <bloomery/live/live_watch.hpp>

namespace bloomery::inline v1 {
namespace {

double in_seconds(std::chrono::nanoseconds t) noexcept {
  return std::chrono::duration<double>(t).count();
}

}  // namespace

// The first generation of all keeps what was counted before it was sampled: that is its
// own.
void live_watch::begin(std::uint64_t generation, const lookup_counts& lookups,
                       double max_keys) noexcept {
  if (sampled_ || generation > 1) at_its_beginning_ = lookups;
  sampled_ = true;
  generation_ = generation;
  max_keys_ = max_keys;
  bits_ = {};
  growth_.reset();
}

result<void> live_watch::take(std::uint64_t generation, const lookup_counts& lookups,
                              const figures& bits, double seconds) noexcept {
  if (!is_of(generation)) begin(generation, lookups, 0);
  if (bits.estimated_keys)
    if (auto ok = growth_.observe(seconds, *bits.estimated_keys); !ok) return ok;
  bits_ = bits;
  sampled_at_ = seconds;
  if (options_.tenants != nullptr) options_.tenants->mark();
  return {};
}

live_metrics live_watch::of_status(const live_status& now) noexcept {
  live_metrics m;
  m.name = now.name;
  m.generation = now.generation;
  m.generation_age_seconds = in_seconds(now.age);
  m.capacity_keys = now.capacity;
  m.size_bytes = now.size_in_bytes;
  m.killed = now.killed;
  m.lookups = now.counts.lookups;
  m.inserts = now.counts.inserted;
  m.rebuilds_started = now.rebuild.started;
  m.rebuilds_succeeded = now.rebuild.succeeded;
  m.rebuilds_rolled_back = now.rebuild.rolled_back;
  m.rebuild_keys_done = now.rebuild.delivered;
  m.rebuild_keys_expected = now.rebuild.expected;
  m.rebuild_seconds = in_seconds(now.rebuild.took);
  return m;
}

void live_watch::add_what_is_known(live_metrics& m) noexcept {
  if (m.name.empty()) m.name = options_.name;
  m.kind = options_.kind;
  if (options_.asked_fpr != 0) m.asked_fpr = options_.asked_fpr;
  if (m.generation == loaded_generation_) m.damaged_chunks = damaged_chunks_;
  if (!sampled_ && m.generation <= 1) {
    m.observed = observe_rate(m.lookups);
  } else if (is_of(m.generation)) {
    m.observed = observe_rate(m.lookups.since(at_its_beginning_));
    m.fill = bits_.fill;
    m.estimated_keys = bits_.estimated_keys;
    m.realised_fpr = bits_.realised_fpr;
    m.exceeded_in_seconds = forecast().seconds_left(sampled_at_);
  }
  m.snapshots = snapshots_.load(std::memory_order_relaxed);
  m.last_snapshot_seconds = in_seconds(
      std::chrono::nanoseconds(last_snapshot_.load(std::memory_order_relaxed)));
  if (options_.tenants != nullptr)
    m.tenants = options_.tenants->rows(m.realised_fpr.value_or(0));
}

}  // namespace bloomery::inline v1
