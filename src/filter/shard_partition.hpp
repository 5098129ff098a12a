// Keys by shard, in any order within it: one pass that counts, one that moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

#include "base/multiply.hpp"
#include "base/parallel_for.hpp"

namespace bloomery::inline v1 {

// Memory: 8 bytes for each key, and 8 for each shard and thread.
class shard_partition {
 public:
  // One shard is the keys themselves, which must outlive this.
  // Errors: out_of_memory, too_large.
  static result<shard_partition> make(std::span<const key> ks, std::uint64_t shards,
                                      unsigned threads) noexcept {
    shard_partition p;
    p.keys_ = ks;
    p.shards_ = shards;
    if (shards == 1) return p;
    auto memory = pages::make(ks.size_bytes());
    if (!memory) return memory.error();
    auto starts = pages::make(8 * static_cast<std::size_t>(shards * threads + 1));
    if (!starts) return starts.error();
    p.memory_ = *std::move(memory);
    p.starts_ = *std::move(starts);
    p.threads_ = threads;
    p.move_all(ks);
    return p;
  }

  std::span<const key> keys_of(std::uint64_t shard) const noexcept {
    if (shards_ == 1) return keys_;
    // Each start is now the end of what one thread moved.
    const std::uint64_t* const ends =
        reinterpret_cast<const std::uint64_t*>(starts_.data());
    const auto end_of = [&](std::uint64_t s) noexcept {
      return ends[(threads_ - 1) * shards_ + s];
    };
    const std::uint64_t from = shard == 0 ? 0 : end_of(shard - 1);
    return {reinterpret_cast<const key*>(memory_.data()) + from,
            static_cast<std::size_t>(end_of(shard) - from)};
  }

 private:
  shard_partition() noexcept = default;

  void move_all(std::span<const key> ks) noexcept {
    auto* const starts = reinterpret_cast<std::uint64_t*>(starts_.data());
    auto* const out = reinterpret_cast<key*>(memory_.data());
    const auto share_of = [&](unsigned t) noexcept {
      const std::size_t first =
          ks.size() / threads_ * t + std::min<std::size_t>(t, ks.size() % threads_);
      return ks.subspan(first, ks.size() / threads_ + (t < ks.size() % threads_));
    };
    const auto shard_of = [this](key k) noexcept {
      return base::multiply_high(k.bits(), shards_);
    };
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      for (const key k : share_of(t)) ++starts[t * shards_ + shard_of(k)];
    });
    std::uint64_t start = 0;
    for (std::uint64_t s = 0; s < shards_; ++s)
      for (unsigned t = 0; t < threads_; ++t)
        start += std::exchange(starts[t * shards_ + s], start);
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      for (const key k : share_of(t)) out[starts[t * shards_ + shard_of(k)]++] = k;
    });
  }

  std::span<const key> keys_;
  std::uint64_t shards_ = 1;
  unsigned threads_ = 1;
  pages memory_, starts_;
};

}  // namespace bloomery::inline v1
