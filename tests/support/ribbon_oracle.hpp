// Ribbon filters as spec/filters.md, section 9, has them, slot by slot; and filters of
// shapes that few keys would not have by themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <bloomery/ribbon.hpp>

#include "format/filter_access.hpp"
#include "kind/ribbon/layers.hpp"
#include "must.hpp"

namespace bloomery::testing {

class ribbon_oracle {
 public:
  __extension__ using u128 = unsigned __int128;

  ribbon_oracle(const ribbon_shape& s, std::span<const std::byte> bytes)
      : s_(s), bytes_(bytes) {}

  struct equation {
    u128 c;
    std::uint32_t f;  // of 32 bits
  };
  static equation equation_of(std::uint64_t h, unsigned w) {
    std::uint64_t g = h * 0x9e3779b97f4a7c15;
    g ^= g >> 32;
    const u128 p = static_cast<u128>(g) * 0xf1357aea2e62a9c5;
    if (w == 64)
      return {static_cast<std::uint64_t>(p) | 1, static_cast<std::uint32_t>(p >> 64)};
    return {p | 1,
            static_cast<std::uint32_t>(((g ^ (g >> 29)) * 0xd6e8feb86659fd93) >> 32)};
  }
  static std::uint64_t next(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  // Layer i, by the letters of 9.1.
  struct layer {
    std::uint64_t S, q, A, X, B;
  };
  layer of(std::size_t i) const {
    const std::uint64_t b = s_.buckets[i], B = s_.width == 64 ? 128 : 512,
                        Q = s_.width == 64 ? 512 : 256;
    const std::uint64_t S = std::max<std::uint64_t>(1, b / Q), q = b / S,
                        A = q * B - s_.width + 1;
    return {S, q, A, share(S * A) / s_.width, B};
  }
  std::uint64_t slot(std::size_t i, std::uint64_t h) const {
    const layer l = of(i);
    const u128 product = static_cast<u128>(h) * l.S;
    const auto rest = static_cast<std::uint64_t>(product);
    return static_cast<std::uint64_t>(product >> 64) * l.q * l.B +
           static_cast<std::uint64_t>((static_cast<u128>(rest) * l.A) >> 64);
  }

  // The last layer's.
  std::uint64_t last_starts() const { return s_.rest >= 64 ? s_.rest - 63 : 1; }
  std::uint64_t last_narrow() const { return share(last_starts()); }

  bool may_contain(std::uint64_t h) const {
    std::size_t i = 0;
    std::uint64_t blocks_at = 0, buckets = 0;  // before layer i
    for (; i < 4 && s_.buckets[i] != 0; ++i) {
      const layer l = of(i);
      const std::uint64_t at = slot(i, h);
      static constexpr std::uint64_t limits[2][4] = {{0, 16, 40, 128}, {0, 40, 96, 512}};
      const std::uint64_t limit = limits[s_.width == 128][threshold(buckets + at / l.B)];
      if (at % l.B >= limit) return holds(l, blocks_at, at, equation_of(h, s_.width));
      blocks_at += layer_bytes(l);
      buckets += s_.buckets[i];
      h = next(h);
    }
    const std::uint64_t last = thresholds_at() + (all_buckets() + 3) / 4;
    if (s_.keeps_hashes) return is_kept(last, h);
    return s_.rest != 0 && holds_last(last, next(h + s_.seed));
  }

 private:
  std::uint64_t share(std::uint64_t of_all) const {
    return static_cast<std::uint64_t>((static_cast<u128>(of_all) * s_.narrow) >> 32);
  }
  std::uint64_t layer_bytes(const layer& l) const {
    return s_.width / 8 * (l.S * l.q * l.B / s_.width * s_.columns - l.X);
  }
  std::uint64_t thresholds_at() const {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < 4 && s_.buckets[i] != 0; ++i) at += layer_bytes(of(i));
    return at;
  }
  std::uint64_t all_buckets() const {
    std::uint64_t n = 0;
    for (const std::uint32_t b : s_.buckets) n += b;
    return n;
  }
  unsigned bit(std::uint64_t byte, std::uint64_t i) const {
    return std::to_integer<unsigned>(bytes_[static_cast<std::size_t>(byte + i / 8)]) >>
               (i % 8) &
           1;
  }
  std::uint64_t threshold(std::uint64_t bucket) const {
    return bit(thresholds_at(), 2 * bucket) + 2 * bit(thresholds_at(), 2 * bucket + 1);
  }
  bool holds(const layer& l, std::uint64_t at, std::uint64_t first,
             const equation& e) const {
    const std::uint64_t w = s_.width;
    const std::uint32_t columns = s_.columns - (first / w < l.X);
    for (std::uint32_t j = 0; j < columns; ++j) {
      unsigned sum = 0;
      for (std::uint64_t k = 0; k < w; ++k) {
        if ((e.c >> k & 1) == 0) continue;
        const std::uint64_t block = (first + k) / w;
        sum ^= bit(at + w / 8 * (block * s_.columns - std::min(block, l.X) + j),
                   (first + k) % w);
      }
      if (sum != (e.f >> j & 1)) return false;
    }
    return true;
  }
  bool holds_last(std::uint64_t at, std::uint64_t h) const {
    const std::uint64_t m = s_.rest, X = last_narrow();
    const auto start =
        static_cast<std::uint64_t>((static_cast<u128>(h) * last_starts()) >> 64);
    const equation e = equation_of(h, 64);
    for (std::uint32_t j = 0; j < s_.columns - (start < X); ++j) {
      unsigned sum = 0;
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(64, m); ++k)
        if ((e.c >> k & 1) != 0)
          sum ^= bit(at, j * m + start + k - (j + 1 == s_.columns ? X : 0));
      if (sum != (e.f >> j & 1)) return false;
    }
    return true;
  }
  std::uint64_t kept(std::uint64_t at, std::uint64_t i) const {
    std::uint64_t x = 0;
    for (unsigned b = 0; b < 64; ++b) x |= std::uint64_t{bit(at + 8 * i, b)} << b;
    return x;
  }
  bool is_kept(std::uint64_t at, std::uint64_t h) const {
    std::uint64_t lo = 0, hi = s_.rest;
    while (lo < hi) {
      const std::uint64_t mid = (lo + hi) / 2;
      if (kept(at, mid) < h)
        lo = mid + 1;
      else
        hi = mid;
    }
    return lo < s_.rest && kept(at, lo) == h;
  }

  ribbon_shape s_;
  std::span<const std::byte> bytes_;
};

// A filter of these keys whose layers have at most `max_buckets` each, and whose last
// part takes at most `last_keys`: beyond that, hashes are kept.
inline ribbon ribbon_of(std::vector<key> ks, ribbon_columns columns, unsigned width,
                        ribbon_limits limits, unsigned threads = 1) {
  std::ranges::sort(ks, {}, &key::bits);
  sorted_keys all{std::span<const key>(ks)};
  ribbon_layers layers(columns, width, threads, limits);
  must(layers.build(all));
  return format::filter_access::make<ribbon>(layers.shape(), ks.size(), hasher::xxh3(),
                                             layers.take_store(), damage_set());
}

}  // namespace bloomery::testing
