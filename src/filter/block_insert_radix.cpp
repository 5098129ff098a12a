// Keys are dealt out by the range of blocks they fall into, and each range is filled
// while it stays in the cache of one thread.  (Radix partitioning of filters: Schmidt et
// al., PVLDB 14(11), 2021.)
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include <bloomery/detail/probe/block_probe.hpp>
#include <bloomery/pages.hpp>

#include "base/cpu.hpp"
#include "base/parallel_for.hpp"
#include "filter/block_parallel.hpp"
#include "filter/block_view.hpp"

namespace bloomery {
namespace {

constexpr std::uint64_t max_ranges = 512;
constexpr std::size_t line_keys = 64 / sizeof(key);

// Writes one line past the cache: dealt keys are not needed before all are dealt, and an
// ordinary store would first read what it overwrites.  REQUIRES: both 64-byte aligned
inline void stream_line(key* to, const key* from) noexcept {
#if defined(__SSE2__)
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* const target = reinterpret_cast<__m128i*>(to);
  for (int i = 0; i < 4; ++i) _mm_stream_si128(target + i, _mm_load_si128(source + i));
#else
  std::memcpy(to, from, 64);
#endif
}

inline void fence_streamed_stores() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// One pile for each thread that deals and each range.
class dealer {
 public:
  dealer(const block_shape& shape, std::byte* data, unsigned threads) noexcept
      : shape_(shape), data_(data), threads_(threads) {
    // Ranges of a quarter of an L2 cache, and enough of them to keep every thread busy.
    const std::uint64_t in_cache = base::caches().l2 / 4 / shape.block_bytes();
    const std::uint64_t wanted = std::clamp<std::uint64_t>(
        shape.blocks / std::max<std::uint64_t>(1, in_cache),
        std::min(std::uint64_t{8} * threads, max_ranges), max_ranges);
    while ((shape.blocks - 1) >> shift_ >= wanted) ++shift_;
    ranges_ = ((shape.blocks - 1) >> shift_) + 1;
    // Half as much memory as the filter: some keys for every line, each time.
    at_once_ =
        std::max<std::uint64_t>(std::uint64_t{1} << 19, shape.size_in_bytes() / 16) /
        shape.choices();
  }

  // False: no memory.
  bool reserve(std::size_t keys) noexcept {
    at_once_ = std::min<std::uint64_t>(at_once_, keys);
    // Keys are uniform, so the piles are nearly equal: 8 sigma.
    const double mean = static_cast<double>(at_once_) * shape_.choices() / threads_ *
                        static_cast<double>(std::uint64_t{1} << shift_) /
                        static_cast<double>(shape_.blocks);
    const auto room = static_cast<std::uint64_t>(mean + 8 * std::sqrt(mean)) + 32;
    pile_room_ = (room + line_keys - 1) / line_keys * line_keys;
    const std::size_t piles = threads_ * ranges_;
    auto dealt = pages::make(piles * pile_room_ * sizeof(key));
    auto lines = pages::make(piles * 64);
    auto sizes = pages::make(threads_ * size_stride() * sizeof(std::uint64_t));
    if (!dealt || !lines || !sizes) return false;
    dealt_ = *std::move(dealt);
    lines_ = *std::move(lines);
    sizes_ = *std::move(sizes);
    return true;
  }

  // False: the keys do not spread evenly.
  bool insert(std::span<const key> ks) noexcept {
    for (std::size_t i = 0; i < ks.size(); i += at_once_)
      if (!insert_some(ks.subspan(i, std::min<std::size_t>(at_once_, ks.size() - i))))
        return false;
    return true;
  }

 private:
  // No line of sizes is shared by two threads.
  std::uint64_t size_stride() const noexcept { return (ranges_ + 15) / 16 * 16; }
  std::uint64_t* sizes(unsigned thread) noexcept {
    return reinterpret_cast<std::uint64_t*>(sizes_.data()) + thread * size_stride();
  }
  // The line of each pile that is not full yet.
  key* open_lines(unsigned thread) noexcept {
    return reinterpret_cast<key*>(lines_.data()) + thread * ranges_ * line_keys;
  }
  key* pile(unsigned thread, std::uint64_t range) noexcept {
    return reinterpret_cast<key*>(dealt_.data()) +
           (thread * ranges_ + range) * pile_room_;
  }

  template <class Layout>
  bool deal(std::span<const key> ks, unsigned thread) noexcept {
    const std::uint64_t blocks = shape_.blocks, room = pile_room_;
    const unsigned shift = shift_;
    key *const open = open_lines(thread), *const piles = pile(thread, 0);
    std::uint64_t* const size = sizes(thread);
    std::fill_n(size, ranges_, 0);
    bool fits = true;
    const auto one = [&](std::uint64_t h) noexcept {
      const std::uint64_t r = (Layout::offset(h, blocks) / Layout::block::bytes) >> shift;
      const std::uint64_t n = size[r]++;
      open[r * line_keys + n % line_keys] = key::from_bits(h);
      if (n % line_keys != line_keys - 1) return;
      if (n < room)
        stream_line(piles + r * room + n + 1 - line_keys, open + r * line_keys);
      else
        fits = false;
    };
    for (const key k : ks) {
      one(k.bits());
      if constexpr (Layout::choices == 2) one(block_probe::second(k.bits()));
      if (!fits) break;  // sorted keys, for example
    }
    for (std::uint64_t r = 0; r < ranges_ && fits; ++r) {
      const std::uint64_t rest = size[r] % line_keys;
      fits = size[r] <= room;
      if (fits)
        std::copy_n(open + r * line_keys, rest, piles + r * room + size[r] - rest);
    }
    fence_streamed_stores();
    return fits;
  }

  bool deal_as_shaped(std::span<const key> ks, unsigned thread) noexcept {
    switch (shape_.profile) {
      case block_profile::half_line:
        return deal<block_probe::half_line>(ks, thread);
      case block_profile::two_lines:
        return deal<block_probe::two_lines>(ks, thread);
      case block_profile::split:
        return deal<block_probe::split>(ks, thread);
      case block_profile::lanes16:
        return deal<block_probe::lanes16>(ks, thread);
      default:
        return deal<block_probe::line>(ks, thread);
    }
  }

  bool insert_some(std::span<const key> ks) noexcept {
    std::atomic<bool> fit = true;
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      const std::size_t from = ks.size() * t / threads_;
      const std::size_t to = ks.size() * (t + 1) / threads_;
      if (!deal_as_shaped(ks.subspan(from, to - from), t))
        fit.store(false, std::memory_order_relaxed);
    });
    if (!fit.load(std::memory_order_relaxed)) return false;
    fill_ranges();
    return true;
  }

  // Each thread takes the next range until none is left.
  void fill_ranges() noexcept {
    std::atomic<std::uint64_t> next_range = 0;
    base::parallel_for(threads_, [&](unsigned) noexcept {
      for (std::uint64_t r;
           (r = next_range.fetch_add(1, std::memory_order_relaxed)) < ranges_;)
        for (unsigned t = 0; t < threads_; ++t)
          line_loops_of(shape_).insert(array_of(shape_, data_), pile(t, r), sizes(t)[r]);
    });
  }

  block_shape shape_;
  std::byte* data_;
  unsigned threads_;
  unsigned shift_ = 0;
  std::uint64_t ranges_ = 0, at_once_ = 0, pile_room_ = 0;
  pages dealt_, lines_, sizes_;
};

}  // namespace

bool insert_by_dealing(const block_shape& shape, std::byte* data, std::span<const key> ks,
                       unsigned threads) noexcept {
  dealer d(shape, data, threads);
  return d.reserve(ks.size()) && d.insert(ks);
}

}  // namespace bloomery
