// Many keys against all levels of a chain: for the source files of scalable filters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/scalable/shape.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/key.hpp>

#include "base/cpu.hpp"
#include "filter/block_view.hpp"

namespace bloomery {

// Where the block of h begins.
inline std::uint64_t block_offset(const block_shape& s, std::uint64_t h) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<u128>(h) * s.blocks >> 64) *
         s.block_bytes();
}

// use(some, first) with the keys as the levels see them, a group at a time.
template <class Use>
void for_each_mixed_group(std::span<const key> ks, Use use) noexcept {
  std::array<key, 512> mixed;
  for (std::size_t i = 0; i < ks.size(); i += mixed.size()) {
    const std::size_t n = std::min(mixed.size(), ks.size() - i);
    for (std::size_t j = 0; j < n; ++j)
      mixed[j] = key::from_bits(block_probe::second(ks[i + j].bits()));
    use(std::span<const key>(mixed).first(n), i);
  }
}

class level_list {
 public:
  // REQUIRES: levels of one profile follow each other
  void add(const block_shape& s, const std::byte* data) noexcept {
    if (runs_ == 0 || run_[runs_ - 1].profile != s.profile)
      run_[runs_++] = {s.profile, count_};
    view_[count_++] = {data, s.blocks};
    run_[runs_ - 1].end = count_;
    // Levels that stay in the L2 cache by themselves are not fetched.
    if (s.size_in_bytes() <= base::caches().l2 / 4) return;
    far_[fars_++] = {data, s.blocks, s.block_bytes() == 64 ? 6u : 5u, s.choices() == 2};
  }

  // The bits of a key within its block are found once for all levels of a profile.  The
  // lines of a group of keys, in all levels, are on their way while the group before is
  // tested.
  void query(std::span<const key> ks, bool* out) const noexcept {
    for_each_mixed_group(ks, [&](std::span<const key> some, std::size_t first) noexcept {
      query_mixed(some, out + first);
    });
  }

 private:
  static constexpr std::size_t group = 64;

  struct run {
    block_profile profile;
    std::size_t begin = 0, end = 0;
  };
  struct far_level {
    const std::byte* data;
    std::uint64_t blocks;
    unsigned log;  // of the bytes of a block
    bool two;      // blocks per key
  };

  void query_mixed(std::span<const key> ks, bool* out) const noexcept {
    fetch(ks.first(std::min(group, ks.size())));
    for (std::size_t i = 0; i < ks.size(); i += group) {
      const std::size_t next = std::min(i + group, ks.size());
      fetch(ks.subspan(next, std::min(group, ks.size() - next)));
      test(ks.subspan(i, next - i), out + i);
    }
  }

  void fetch(std::span<const key> ks) const noexcept {
    for (const far_level& l : std::span(far_).first(fars_)) {
      const auto fetch_line = [data = l.data, blocks = l.blocks,
                               log = l.log](std::uint64_t h) noexcept {
        __builtin_prefetch(data + (block_probe::high_product(h, blocks) << log));
      };
      for (const key k : ks) fetch_line(k.bits());
      if (l.two)
        for (const key k : ks) fetch_line(block_probe::second(k.bits()));
    }
  }

  void test(std::span<const key> ks, bool* out) const noexcept {
    std::fill_n(out, ks.size(), false);
    for (const run& r : std::span(run_).first(runs_))
      kernel::best_block_kernel().of(r.profile).query_any(
          &view_[r.begin], r.end - r.begin, ks.data(), ks.size(), out);
  }

  std::array<kernel::block_view, scalable_shape::level_limit> view_;
  std::array<far_level, scalable_shape::level_limit> far_;
  std::array<run, 3> run_;
  std::size_t count_ = 0, fars_ = 0, runs_ = 0;
};

}  // namespace bloomery
