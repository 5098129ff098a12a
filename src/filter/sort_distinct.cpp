#include "filter/sort_distinct.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/parallel_for.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr auto before = [](key a, key b) noexcept { return a.bits() < b.bits(); };

bool is_ascending(std::span<const key> ks) noexcept {
  for (std::size_t i = 1; i < ks.size(); ++i)
    if (ks[i - 1].bits() >= ks[i].bits()) return false;
  return true;
}

// One pass by the eight bits from `shift` on.
void distribute(std::span<const key> from, key* to, unsigned shift) noexcept {
  std::array<std::size_t, 256> at{};
  for (const key k : from) ++at[(k.bits() >> shift) & 255];
  std::size_t start = 0;
  for (std::size_t& a : at) start += std::exchange(a, start);
  for (const key k : from) to[at[(k.bits() >> shift) & 255]++] = k;
}

// Moves each key down to its place.  False, with the same keys in some order, if one is
// further away than keys that are uniform ever are.
bool insertion_sort(std::span<key> ks) noexcept {
  constexpr std::size_t far = 64;
  for (std::size_t i = 1; i < ks.size(); ++i) {
    const key k = ks[i];
    std::size_t at = i;
    while (at > 0 && before(k, ks[at - 1])) {
      ks[at] = ks[at - 1];
      --at;
      if (i - at > far) {
        ks[at] = k;
        return false;
      }
    }
    ks[at] = k;
  }
  return true;
}

// Keys whose highest `known` bits are equal: two passes by the 16 bits below them leave
// few neighbours to exchange.
void sort_part(std::span<key> ks, key* scratch, unsigned known) noexcept {
  if (ks.size() > 32) {
    const unsigned shift = 64 - known - 16;
    distribute(ks, scratch, shift);
    distribute({scratch, ks.size()}, ks.data(), shift + 8);
  }
  if (!insertion_sort(ks)) std::ranges::sort(ks, before);
}

// About 8192 keys per part, in at most 2048 parts: as many lines are written at once.
unsigned part_bits(std::size_t keys) noexcept {
  const auto log2 = static_cast<unsigned>(std::bit_width(keys));
  return std::clamp(log2, 14u, 24u) - 13;
}

// Parts, each with its first place in the sorted array and the number of distinct keys.
struct part {
  std::size_t first, keys, distinct;
};

class partition {
 public:
  partition(std::span<const key> ks, unsigned threads) noexcept
      : ks_(ks), threads_(threads), bits_(part_bits(ks.size())) {}

  result<distinct_span> sorted() noexcept {
    const std::size_t parts = std::size_t{1} << bits_;
    auto memory = pages::make(ks_.size_bytes());
    if (!memory) return memory.error();
    auto tables = pages::make(parts * (sizeof(part) + threads_ * sizeof(std::size_t)));
    if (!tables) return tables.error();
    out_ = reinterpret_cast<key*>(memory->data());
    parts_ = {reinterpret_cast<part*>(tables->data()), parts};
    places_ = reinterpret_cast<std::size_t*>(parts_.data() + parts);
    const std::size_t largest = scatter();
    auto scratch = pages::make(threads_ * largest * sizeof(key));
    if (!scratch) return scratch.error();
    sort_parts(reinterpret_cast<key*>(scratch->data()), largest);
    const std::size_t distinct = close_gaps();
    return distinct_span{{out_, distinct}, *std::move(memory)};
  }

 private:
  std::size_t part_of(key k) const noexcept {
    return static_cast<std::size_t>(k.bits() >> (64 - bits_));
  }
  std::span<const key> share_of(unsigned t) const noexcept {
    const std::size_t first = ks_.size() / threads_ * t;
    return t + 1 == threads_ ? ks_.subspan(first)
                             : ks_.subspan(first, ks_.size() / threads_);
  }

  // Returns the size of the largest part.
  std::size_t scatter() noexcept {
    const std::size_t parts = parts_.size();
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      std::size_t* const counts = places_ + t * parts;
      for (const key k : share_of(t)) ++counts[part_of(k)];
    });
    std::size_t at = 0, largest = 0;
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t first = at;
      for (unsigned t = 0; t < threads_; ++t)
        at += std::exchange(places_[t * parts + p], at);
      parts_[p] = {first, at - first, 0};
      largest = std::max(largest, at - first);
    }
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      std::size_t* const places = places_ + t * parts;
      for (const key k : share_of(t)) out_[places[part_of(k)]++] = k;
    });
    return largest;
  }

  void sort_parts(key* scratch, std::size_t largest) noexcept {
    std::atomic<std::size_t> next{0};
    base::parallel_for(threads_, [&](unsigned t) noexcept {
      for (std::size_t p;
           (p = next.fetch_add(1, std::memory_order_relaxed)) < parts_.size();) {
        const std::span<key> ks(out_ + parts_[p].first, parts_[p].keys);
        sort_part(ks, scratch + t * largest, bits_);
        parts_[p].distinct =
            static_cast<std::size_t>(std::unique(ks.begin(), ks.end()) - ks.begin());
      }
    });
  }

  std::size_t close_gaps() noexcept {
    std::size_t distinct = 0;
    for (const part& p : parts_) {
      if (distinct != p.first && p.distinct != 0)
        std::memmove(out_ + distinct, out_ + p.first, p.distinct * sizeof(key));
      distinct += p.distinct;
    }
    return distinct;
  }

  std::span<const key> ks_;
  unsigned threads_, bits_;
  key* out_ = nullptr;
  std::span<part> parts_;
  std::size_t* places_ = nullptr;  // for each thread, by part: first its number of keys
};

}  // namespace

result<distinct_span> sort_distinct(std::span<const key> ks, unsigned threads) noexcept {
  if (is_ascending(ks)) return distinct_span{ks, {}};
  return partition(ks, threads).sorted();
}

}  // namespace bloomery::inline v1
