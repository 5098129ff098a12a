// The distinct keys of a stream, and the smallest of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Memory: 8 bytes per distinct key, plus 12 MiB; never a copy of all.
//
// A dense sorted array, and a buffer of new keys that is sorted and merged into it in
// place when full.  The array grows by remapping its pages, not by copying them.  A merge
// moves the whole array once, so n keys cost n^2 / (2 * 786432) moves in all: 0.1 s for
// 10 million, 10 s for 100 million.
class BLOOMERY_EXPORT distinct_keys {
 public:
  distinct_keys() noexcept = default;
  distinct_keys(distinct_keys&& other) noexcept { swap(other); }
  distinct_keys& operator=(distinct_keys&& other) noexcept {
    swap(other);
    return *this;
  }
  ~distinct_keys();

  // Errors: out_of_memory; some of the keys may be in.
  result<void> add(std::span<const key> keys) noexcept;

  // All of them, sorted.  Valid until the next call.  Errors: out_of_memory.
  result<std::span<const key>> all() noexcept;

 private:
  void swap(distinct_keys& other) noexcept;
  result<void> merge_buffer() noexcept;
  std::size_t drop_known() noexcept;
  result<void> make_room_for(std::size_t keys) noexcept;

  static constexpr std::size_t buffer_keys = (6u << 20) / sizeof(key);

  key* sorted_ = nullptr;
  std::size_t count_ = 0;
  std::size_t room_ = 0;    // in keys
  pages buffer_, scratch_;  // of buffer_keys each: new keys; for sorting, then positions
  std::size_t buffered_ = 0;
};

// The smallest distinct hashes of a stream of keys: the sentinels of a container, which
// show that a file holds the bits it was built with.
class sentinel_picker {
 public:
  static constexpr std::size_t max_keys = 8;

  void add(std::span<const key> keys) noexcept {
    for (const key k : keys)
      if (count_ < max_keys || k.bits() < kept_[count_ - 1].bits()) insert(k);
  }
  // Ascending.
  std::span<const key> all() const noexcept { return {kept_.data(), count_}; }

 private:
  void insert(key k) noexcept {
    std::size_t at = 0;
    while (at < count_ && kept_[at].bits() < k.bits()) ++at;
    if (at < count_ && kept_[at] == k) return;
    if (count_ < max_keys) ++count_;
    for (std::size_t i = count_ - 1; i > at; --i) kept_[i] = kept_[i - 1];
    kept_[at] = k;
  }

  std::array<key, max_keys> kept_{};
  std::size_t count_ = 0;
};

}  // namespace bloomery::inline v1
