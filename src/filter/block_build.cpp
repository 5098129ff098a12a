// Block filters from many keys at once, by several threads.
//
// Keys are dealt out by the range of blocks they fall into, and each range is filled by
// one thread while it stays in that thread's cache: no atomics, no line shared, and the
// bits depend on the keys alone.  (Radix partitioning of filters: Schmidt et al., PVLDB
// 14(11), 2021.)
#include <bloomery/block_storage.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>

#include <bloomery/block_probe.hpp>
#include "base/cpu.hpp"
#include "base/team.hpp"
#include "filter/block_view.hpp"
#include "hash/mix.hpp"

namespace bloomery::inline v1 {
namespace {

// Dealing costs two passes over the keys: not worth it for fewer.
constexpr std::size_t least_keys = std::size_t{1} << 15;
constexpr std::uint64_t most_ranges = 1024;

class dealer {
 public:
  dealer(const block_shape& shape, std::byte* data, unsigned threads) noexcept
      : shape_(shape), data_(data), threads_(threads) {
    // Ranges of half an L2 cache, enough of them to keep every thread busy.
    const std::uint64_t in_cache = base::caches().l2 / 2 / shape.block_bytes();
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(shape.blocks / std::max<std::uint64_t>(1, in_cache),
                                  std::uint64_t{4} * threads, most_ranges);
    while ((shape.blocks - 1) >> shift_ >= wanted) ++shift_;
    ranges_ = ((shape.blocks - 1) >> shift_) + 1;
    // A line of its own for each key of a two-line filter.
    entries_a_key_ = shape.choices();
    // As much memory again as the filter, within reason.
    at_once_ =
        std::max<std::uint64_t>(std::uint64_t{1} << 20, shape.size_in_bytes() / 8) /
        entries_a_key_;
  }

  // False: no memory, and nothing was inserted.
  bool reserve(std::size_t keys) noexcept {
    at_once_ = std::min<std::uint64_t>(at_once_, keys);
    auto entries = pages::make(at_once_ * entries_a_key_ * sizeof(key));
    auto places = pages::make(threads_ * ranges_ * sizeof(std::uint64_t));
    auto starts = pages::make((ranges_ + 1) * sizeof(std::uint64_t));
    if (!entries || !places || !starts) return false;
    entries_ = *std::move(entries);
    places_ = *std::move(places);
    starts_ = *std::move(starts);
    return true;
  }

  void insert(std::span<const key> ks) noexcept {
    for (std::size_t i = 0; i < ks.size(); i += at_once_)
      insert_some(ks.subspan(i, std::min<std::size_t>(at_once_, ks.size() - i)));
  }

 private:
  std::uint64_t* places(unsigned thread) noexcept {
    return reinterpret_cast<std::uint64_t*>(places_.data()) + thread * ranges_;
  }
  std::uint64_t* starts() noexcept {
    return reinterpret_cast<std::uint64_t*>(starts_.data());
  }
  key* entries() noexcept { return reinterpret_cast<key*>(entries_.data()); }

  std::span<const key> share(std::span<const key> ks, unsigned thread) const noexcept {
    const std::size_t from = ks.size() * thread / threads_;
    return ks.subspan(from, ks.size() * (thread + 1) / threads_ - from);
  }

  // use(entry, range) for every line of every key.
  template <class Layout, class Use>
  void each_entry(std::span<const key> ks, Use use) const noexcept {
    const std::uint64_t blocks = shape_.blocks;
    const unsigned shift = shift_;
    const auto one = [&](std::uint64_t h) noexcept {
      use(key::from_hash(h), (Layout::offset(h, blocks) / Layout::block::bytes) >> shift);
    };
    for (const key k : ks) {
      one(k.bits());
      if constexpr (Layout::choices == 2) one(block_probe::second(k.bits()));
    }
  }
  template <class Use>
  void each_entry_of_shape(std::span<const key> ks, Use use) const noexcept {
    switch (shape_.profile) {
      case block_profile::half_line:
        return each_entry<block_probe::half_line>(ks, use);
      case block_profile::two_lines:
        return each_entry<block_probe::two_lines>(ks, use);
      case block_profile::split:
        return each_entry<block_probe::split>(ks, use);
      default:
        return each_entry<block_probe::line>(ks, use);
    }
  }

  void insert_some(std::span<const key> ks) noexcept {
    base::run_team(threads_, [&](unsigned t) noexcept {
      std::uint64_t* const count = places(t);
      std::fill_n(count, ranges_, 0);
      each_entry_of_shape(share(ks, t), [count](key, std::uint64_t r) { ++count[r]; });
    });
    turn_counts_into_places();
    base::run_team(threads_, [&](unsigned t) noexcept {
      std::uint64_t* const place = places(t);
      key* const to = entries();
      each_entry_of_shape(share(ks, t),
                          [place, to](key k, std::uint64_t r) { to[place[r]++] = k; });
    });
    fill_ranges();
  }

  // Range by range, and within a range thread by thread.
  void turn_counts_into_places() noexcept {
    std::uint64_t next = 0;
    for (std::uint64_t r = 0; r < ranges_; ++r) {
      starts()[r] = next;
      for (unsigned t = 0; t < threads_; ++t) {
        const std::uint64_t count = places(t)[r];
        places(t)[r] = next;
        next += count;
      }
    }
    starts()[ranges_] = next;
  }

  // Each thread takes the next range until none is left.
  void fill_ranges() noexcept {
    // Every entry is one line: a two-line filter's lines are filled as those of a line.
    const block_shape lines{shape_.blocks,
                            shape_.choices() == 2 ? block_profile::line : shape_.profile};
    const kernel::block_array all = array_of(shape_, data_);
    std::atomic<std::uint64_t> next_range = 0;
    base::run_team(threads_, [&](unsigned) noexcept {
      for (std::uint64_t r;
           (r = next_range.fetch_add(1, std::memory_order_relaxed)) < ranges_;)
        loops_of(lines).insert(all, entries() + starts()[r],
                               starts()[r + 1] - starts()[r]);
    });
  }

  block_shape shape_;
  std::byte* data_;
  unsigned threads_;
  unsigned shift_ = 0;
  std::uint64_t ranges_ = 0, at_once_ = 0;
  unsigned entries_a_key_ = 1;
  pages entries_, places_, starts_;
};

}  // namespace

void block_storage::insert(std::span<const key> ks, unsigned threads) noexcept {
  assert(threads >= 1);
  threads = std::clamp(threads, 1u, 256u);
  const bool small = ks.size() < least_keys;
  const bool alone = threads == 1 && array_of(shape_, store_.data()).in_cache;
  if (small || alone) return insert(ks);
  dealer d(shape_, store_.data(), threads);
  if (!d.reserve(ks.size())) return insert(ks);
  d.insert(ks);
}

}  // namespace bloomery::inline v1
