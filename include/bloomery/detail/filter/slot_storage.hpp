// What fuse and xor filters have in common: slots of r bits, whose exclusive or is the
// fingerprint of the key that has them, and a residue of hashes.
//
// Rule: fuse_rule or xor_rule, which slots a key has.  The definitions of what is not
// inline are in src/filter/slot_storage.hpp; the source file of each kind instantiates
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/filter/quick_slots.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/kind/slot/shape.hpp>
#include <bloomery/detail/probe/slot_table.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class Rule>
class BLOOMERY_EXPORT slot_storage {
 public:
  using rule = Rule;

  slot_storage(slot_storage&&) noexcept = default;

  // A lookup with need(offset, length) called for the bytes that it reads; where that is
  // false they are not believed, and the answer is "possibly present".
  template <class Need>
  bool may_contain_if(key k, Need need) const noexcept {
    if (shape_.shard_slots != 0) {
      const std::uint64_t shard = detail::upper_half(k.bits(), shape_.shards);
      if (!need(shape_.rounds_at() + shard, 1)) return true;
      const bool readable =
          with_table<any_slot_width, many_shards>([&](const auto& table) noexcept {
            bool all = true;
            for (const std::uint64_t s : table.start(k).slots)
              all = need(first_byte(s), last_byte(s) - first_byte(s) + 1) && all;
            return all;
          });
      if (!readable || matches(k)) return true;
    }
    if (residue_ == 0) return false;
    return !need(shape_.residue_at(), 8 * residue_) || is_in_residue(k);
  }

  // --- what it is ---
  const slot_shape& shape() const noexcept { return shape_; }
  std::uint64_t slots() const noexcept { return shape_.slots(); }
  std::uint64_t bits() const noexcept { return slots() * shape_.width; }
  // Hashes that are stored whole, because no slots could be found for them.
  std::uint64_t residue() const noexcept { return residue_; }

  // --- its current state: each reads every slot ---
  std::uint64_t ones() const noexcept;  // of all its bytes
  double estimated_keys() const noexcept;
  double fill() const noexcept;  // keys per slot, at most 1
  // The rate this filter has for keys it does not hold.
  double realised_fpr() const noexcept;
  // The rate of such a filter of `keys` keys.
  double expected_fpr(std::uint64_t keys) const noexcept;

 protected:
  // A filter of one kind must not be given the storage of another.
  slot_storage& operator=(slot_storage&&) noexcept = default;

  slot_storage(const slot_shape& shape, std::uint64_t residue, std::uint64_t keys,
               bloomery::hasher h, pages store, damage_set damage) noexcept
      : shape_(shape),
        residue_(residue),
        keys_(keys),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {
    if (shape.shard_slots != 0 && shape.layout == slot_layout::three && residue == 0 &&
        damage_.empty())
      quick_ = quick_slots<typename Rule::three_slots>(store_.data(), shape);
  }

  // --- the core (filter_of.hpp) ---
  BLOOMERY_INLINE bool find(key k) const noexcept {
    return quick_.has(k, [&]() noexcept { return find_otherwise(k); });
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  bool is_like(const slot_storage& other) const noexcept {
    return shape_ == other.shape_ && residue_ == other.residue_ &&
           damage_.damaged_chunks() == other.damage_.damaged_chunks();
  }

 private:
  template <class F, class Core>
  friend class filter_of;
  friend core_parts;

  template <class Width, class Shards, class Use>
  auto with_table(Use use) const noexcept {
    return Rule::with_slots(shape_, [&]<class Slots>(const Slots& slots) noexcept {
      return use(slot_table<Slots, Width, Shards>(store_.data(), shape_, slots));
    });
  }
  bool matches(key k) const noexcept;
  [[gnu::pure]] bool find_otherwise(key k) const noexcept;
  std::uint64_t first_byte(std::uint64_t slot) const noexcept {
    return slot * shape_.width / 8;
  }
  std::uint64_t last_byte(std::uint64_t slot) const noexcept {
    return (slot * shape_.width + shape_.width - 1) / 8;
  }
  bool is_damaged(std::uint64_t slot) const noexcept {
    return damage_.touches(first_byte(slot), last_byte(slot) - first_byte(slot) + 1);
  }
  bool is_in_residue(key k) const noexcept;
  bool find_damaged(key k) const noexcept;

  struct census {
    std::uint64_t not_zero = 0, damaged = 0;  // slots
  };
  census count_slots() const noexcept;
  double keys_by(const census& c) const noexcept;
  double readable_share() const noexcept;

  slot_shape shape_;
  std::uint64_t residue_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
  quick_slots<typename Rule::three_slots> quick_;
};

}  // namespace bloomery::inline v1
