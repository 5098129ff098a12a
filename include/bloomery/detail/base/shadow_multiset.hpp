// Keys and how many copies of each are in a filter, exactly: what checked_filter
// (checked_filter.hpp) compares a filter with.
//
// Keys by their hashes: equal hashes are one key, as they are to the filter.  A table
// with linear probing, at most half full; the hashes are uniform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>

namespace bloomery::inline v1::detail {

class shadow_multiset {
 public:
  struct entry {
    std::uint64_t bits;      // of the key
    std::uint64_t copies;    // in the filter now
    std::uint64_t receipts;  // issued and not used
    bool known;              // this entry has a key
  };

  // Null if the key never was in.
  const entry* find(key k) const noexcept {
    if (slots_ == 0) return nullptr;
    const entry& e = *place_of(k.bits());
    return e.known ? &e : nullptr;
  }
  std::uint64_t copies(key k) const noexcept {
    const entry* const e = find(k);
    return e == nullptr ? 0 : e->copies;
  }
  // Without memory the program ends.
  void add(key k, bool with_receipt) noexcept {
    if (2 * (known_ + 1) > slots_) grow();
    entry& e = *place_of(k.bits());
    known_ += !e.known;
    e.bits = k.bits();
    e.known = true;
    ++e.copies;
    e.receipts += with_receipt;
    ++size_;
  }
  // Entries stay: a key that was in once differs from one that never was.
  // REQUIRES: copies(k) > 0; by a receipt: one is open
  void take(key k, bool by_receipt) noexcept {
    entry& e = *place_of(k.bits());
    --e.copies;
    e.receipts -= by_receipt;
    --size_;
  }
  void clear() noexcept { *this = shadow_multiset(); }
  std::uint64_t size() const noexcept { return size_; }

  template <class Use>  // (key, copies)
  void each(Use use) const {
    for (std::size_t i = 0; i < slots_; ++i)
      if (entries()[i].copies != 0)
        use(key::from_bits(entries()[i].bits), entries()[i].copies);
  }

  shadow_multiset() noexcept = default;
  shadow_multiset(shadow_multiset&& other) noexcept { *this = std::move(other); }
  shadow_multiset& operator=(shadow_multiset&& other) noexcept {
    table_ = std::move(other.table_);
    slots_ = std::exchange(other.slots_, 0);
    known_ = std::exchange(other.known_, 0);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

 private:
  entry* entries() const noexcept {
    return reinterpret_cast<entry*>(const_cast<std::byte*>(table_.data()));
  }
  // Where the key is, or belongs.  REQUIRES: slots_ > 0, one of them unused
  entry* place_of(std::uint64_t bits) const noexcept {
    std::size_t i = bits & (slots_ - 1);
    while (entries()[i].known && entries()[i].bits != bits) i = (i + 1) & (slots_ - 1);
    return entries() + i;
  }
  void grow() noexcept {
    const std::size_t slots = slots_ == 0 ? 64 : 2 * slots_;
    auto room = pages::make(slots * sizeof(entry));
    require(room.has_value(), "no memory for the keys of a checked_filter");
    const pages before = std::exchange(table_, *std::move(room));
    const std::size_t old = std::exchange(slots_, slots);
    for (std::size_t i = 0; i < old; ++i) {
      const entry& e = reinterpret_cast<const entry*>(before.data())[i];
      if (e.known) *place_of(e.bits) = e;
    }
  }

  pages table_;
  std::size_t slots_ = 0;  // a power of two, or 0
  std::size_t known_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace bloomery::inline v1::detail
