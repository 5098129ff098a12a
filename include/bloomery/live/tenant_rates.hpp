// The observed rate of each tenant, and an alarm on one that stands out.
//
// A filter treats all keys alike, so all tenants have its rate.  A tenant with many more
// false positives has found keys that collide, by chance or on purpose: the sign of an
// attack (or of a caller that looks up the same few keys).
//
// Counting: wait-free; a load and a store in cache lines that belong to the thread.
// Memory: 32 bytes * tenants * (threads + 1).
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/observed_rate.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// When a tenant counts as an outlier.
struct outlier_limits {
  // The probability of a false alarm per call, if all tenants have the same rate: at most
  // this.
  // REQUIRES: 0 < false_alarm < 1
  double false_alarm = 1e-3;
  // The known rate of the filter, such as its realised_fpr; a tenant's lower bound must
  // exceed `factor` times that.
  double floor = 0;
  double factor = 2;
};

// A tenant whose rate is too high, and by how much.
struct tenant_alarm {
  unsigned tenant = 0;
  double rate = 0;  // of this tenant, and its range
  rate_interval range;
  double others = 0;  // of all other tenants together, and the upper end of its range
  double others_high = 0;
};

// The tenants of `rows` whose lower bound exceeds both the upper bound of all others
// taken together and factor * floor, in their order.  Writes as many as fit; returns how
// many there are.  The bounds allow for the number of tenants (Bonferroni), and are those
// of Clopper and Pearson: exact for few lookups.
//
// Several attackers hide each other once they make most of all lookups; a single tenant
// cannot be compared with others.  Counts since the start hide a late attack: pass those
// of the last minutes (lookup_counts::since).
BLOOMERY_EXPORT std::size_t find_outliers(std::span<const lookup_counts> rows,
                                          const outlier_limits& limits,
                                          std::span<tenant_alarm> out) noexcept;

class BLOOMERY_EXPORT tenant_rates {
 public:
  static constexpr unsigned max_tenants = 4096;

  // Tenants 0 .. tenants - 1.  Threads with the numbers 0 .. threads - 1 have their own
  // cache lines; further ones share one set and add by locked instructions.  Errors:
  // invalid_argument (1 .. max_tenants; threads beyond all numbers), out_of_memory.
  static result<tenant_rates> make(unsigned tenants, unsigned threads = 16) noexcept;

  // --- from any thread; REQUIRES: tenant < tenants()
  void lookup(unsigned tenant, bool maybe) noexcept {
    add(tenant, maybe ? row::maybes : row::negatives, 1);
  }
  void lookups(unsigned tenant, std::uint64_t maybes, std::uint64_t negatives) noexcept {
    add(tenant, row::maybes, maybes);
    add(tenant, row::negatives, negatives);
  }
  // Reports whether a key with a positive answer was in fact present.
  void confirm(unsigned tenant, bool present) noexcept {
    add(tenant, present ? row::confirmed_present : row::confirmed_absent, 1);
  }

  // --- from any thread: all that happens-before, and any part of what happens meanwhile
  lookup_counts counts(unsigned tenant) const noexcept;
  // REQUIRES: out.size() == tenants()
  void counts(std::span<lookup_counts> out) const noexcept;
  // Both at once: `rows` are the counts of now, `out` the outliers among them.
  std::size_t alarms(const outlier_limits& limits, std::span<lookup_counts> rows,
                     std::span<tenant_alarm> out) const noexcept {
    counts(rows);
    return find_outliers(rows, limits, out);
  }

  unsigned tenants() const noexcept { return tenants_; }

 private:
  struct row {
    enum number : std::uint8_t {
      maybes,
      negatives,
      confirmed_present,
      confirmed_absent,
      count
    };
    std::atomic<std::uint64_t> numbers[count]{};
  };

  tenant_rates(pages store, unsigned tenants, unsigned threads) noexcept
      : store_(std::move(store)),
        lines_(store_.data()),
        tenants_(tenants),
        threads_(threads) {}

  // Whole lines, and one between threads: processors fetch lines in pairs.
  static std::size_t stride(unsigned tenants) noexcept {
    constexpr std::size_t line = pages::alignment;
    return (tenants * sizeof(row) + line - 1) / line * line + line;
  }
  row* rows_of(unsigned thread) const noexcept {
    return reinterpret_cast<row*>(lines_ + thread * stride(tenants_));
  }
  void add(unsigned tenant, row::number what, std::uint64_t n) noexcept {
    assert(tenant < tenants_);
    const unsigned me = this_platform::thread_number();
    const bool shared = me >= threads_;
    add_to<this_platform>(rows_of(shared ? threads_ : me)[tenant].numbers[what], n,
                          shared);
  }

  pages store_;
  std::byte* lines_;
  unsigned tenants_;
  unsigned threads_;
};

}  // namespace bloomery::inline v1
