// What a filter knows of its receipts: its identity, how many numbered ones it issued,
// and which of them were used.  It is written to the filter's file, in the same rename as
// the cells (spec/container.md, section 7).
//
// Numbers that were used are kept as ranges, at most max_ranges of them: 64 KiB.  A whole
// batch that is erased is one range, also if it is erased in any order.  Beyond that the
// smallest gap between two ranges is closed: receipts with the numbers in it *expire*.
// They are refused as if they had been used, and their keys stay in the filter: a false
// positive at worst, never a false negative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// What a filter knows of a receipt.
enum class receipt_state : std::uint8_t {
  foreign,  // of another filter, damaged, of no key, or newer than this copy of the
            // filter
  unused,   // its own.  Whether it was used is known of numbered ones only
  used,     // its own, and used or expired
};

class BLOOMERY_EXPORT receipt_ledger {
 public:
  // Numbers from `first` on, up to `end`, which is not one of them.
  struct range {
    std::uint64_t first, end;
    friend bool operator==(const range&, const range&) noexcept = default;
  };
  static constexpr std::size_t max_ranges = 4095;
  static constexpr std::uint64_t max_issued = ~std::uint64_t{0} - 1;

  receipt_ledger() noexcept = default;
  // 0: one is drawn for the first receipt.
  explicit receipt_ledger(std::uint64_t identity) noexcept : identity_(identity) {}
  receipt_ledger(receipt_ledger&& other) noexcept;
  receipt_ledger& operator=(receipt_ledger&& other) noexcept;

  // Errors: out_of_memory.
  result<receipt_ledger> copy() const noexcept;

  // 0: the filter has issued no receipt, and accepts none.
  std::uint64_t identity() const noexcept {
    return __atomic_load_n(&identity_, __ATOMIC_RELAXED);
  }
  // Draws an identity if there is none.  Any number of threads may call this.
  // Errors: io (the system gives no random bytes).
  result<void> ensure_identity() noexcept {
    return identity() != 0 ? result<void>() : draw_identity();
  }

  // --- numbered receipts: one thread at a time ---
  std::uint64_t issued() const noexcept { return issued_; }
  std::span<const range> used() const noexcept {
    return {reinterpret_cast<const range*>(ranges_.data()), count_};
  }
  bool is_used(std::uint64_t number) const noexcept;
  // Numbers that were used or have expired.
  std::uint64_t used_count() const noexcept;
  // How many have expired since this object was made or read.
  std::uint64_t expired() const noexcept { return expired_; }

  // REQUIRES: issued() < max_issued
  std::uint64_t next_number() noexcept { return ++issued_; }
  // Room for one more range, so that use() cannot fail.  Errors: out_of_memory.
  result<void> reserve() noexcept;
  // REQUIRES: reserve() succeeded; 1 <= number <= issued(), !is_used(number)
  void use(std::uint64_t number) noexcept;

  // What a file had.  Errors: out_of_memory; corrupt: ranges that are empty, touch, are
  // not ascending, or have numbers that were not issued.
  result<void> restore(std::uint64_t issued, std::span<const std::byte> ranges) noexcept;

  friend bool operator==(const receipt_ledger& a, const receipt_ledger& b) noexcept {
    return a.identity() == b.identity() && a.issued_ == b.issued_ && a.has_used_of(b);
  }

 private:
  result<void> draw_identity() noexcept;
  bool has_used_of(const receipt_ledger& other) const noexcept;
  range* data() noexcept { return reinterpret_cast<range*>(ranges_.data()); }
  // The first range whose end is not below the number.
  std::size_t place_of(std::uint64_t number) const noexcept;
  void use_elsewhere(std::uint64_t number) noexcept;
  void close_smallest_gap() noexcept;

  std::uint64_t identity_ = 0;
  std::uint64_t issued_ = 0;
  std::uint64_t expired_ = 0;
  std::size_t count_ = 0;
  std::size_t last_ = 0;  // where use() was last: receipts mostly come in order
  pages ranges_;
};

}  // namespace bloomery::inline v1
