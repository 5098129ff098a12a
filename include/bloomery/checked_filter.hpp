// A filter that erases keys, beside an exact multiset of what is in it: for tests.
//
//   bloomery::checked_filter seen(bloomery::cuckoo::make({.keys = 1000}).value());
//   run_my_service(seen);              // the same calls as the filter has
//
// What a filter cannot notice by itself ends the program with a sentence on standard
// error (detail/base/contract.hpp): erase_present of a key that is not in, more erases
// than inserts, a receipt that is used twice, of another filter, damaged or empty.  So
// does a mistake of the filter: a false negative, or a count that is too low.
//
// It costs a hash table of all keys, 64 bytes or more for each; without memory for it the
// program ends.  Not for production, and not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/base/shadow_multiset.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline namespace BLOOMERY_BY_ISA {

template <erasable F>
class checked_filter {
 public:
  // REQUIRES: f is empty
  explicit checked_filter(F f) noexcept : filter_(std::move(f)) {}

  const F& filter() const noexcept { return filter_; }
  // Keys that are in, each copy counted; of one key.
  std::uint64_t size() const noexcept { return keys_.size(); }
  std::uint64_t copies(key k) const noexcept { return keys_.copies(k); }

  // Every key that is in tests positive, or the program ends.
  void check_all() const noexcept {
    keys_.each([&](key k, std::uint64_t copies) {
      check_found(filter_.may_contain(k));
      check_count(k, copies);
    });
  }

  // --- lookups ---
  bool may_contain(key k) const noexcept {
    const bool answer = filter_.may_contain(k);
    check_found(answer || keys_.copies(k) == 0);
    return answer;
  }
  bool may_contain(std::string_view text) const noexcept {
    return may_contain(hash(text));
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
    for (std::size_t i = 0; i < ks.size(); ++i)
      check_found(out[i] || keys_.copies(ks[i]) == 0);
  }
  void may_contain(std::span<const std::string_view> texts,
                   std::span<bool> out) const noexcept {
    filter_.may_contain(texts, out);
    for (std::size_t i = 0; i < texts.size(); ++i)
      check_found(out[i] || keys_.copies(hash(texts[i])) == 0);
  }
  std::uint64_t count(key k) const noexcept requires counting<F> {
    check_count(k, keys_.copies(k));
    return filter_.count(k);
  }

  // --- inserts ---
  result<void> try_insert(key k) noexcept requires bounded<F> {
    const auto done = filter_.try_insert(k);
    if (done) note_insert(k, false);
    return done;
  }
  result<void> try_insert(std::string_view text) noexcept requires bounded<F> {
    return try_insert(hash(text));
  }
  std::size_t try_insert(std::span<const key> ks) noexcept requires bounded<F> {
    const std::size_t n = filter_.try_insert(ks);
    for (const key k : ks.first(n)) note_insert(k, false);
    return n;
  }
  void insert(key k) noexcept requires insertable<F> {
    filter_.insert(k);
    note_insert(k, false);
  }
  void insert(std::string_view text) noexcept requires insertable<F> {
    insert(hash(text));
  }
  void insert(std::span<const key> ks) noexcept requires insertable<F> {
    filter_.insert(ks);
    for (const key k : ks) note_insert(k, false);
  }
  void insert(std::span<const std::string_view> texts) noexcept requires insertable<F> {
    filter_.insert(texts);
    for (const std::string_view text : texts) note_insert(hash(text), false);
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    auto issued = filter_.try_insert_with_receipt(k);
    if (issued) note_insert(k, true);
    return issued;
  }
  result<receipt> try_insert_with_receipt(std::string_view text) noexcept {
    return try_insert_with_receipt(hash(text));
  }
  void clear() noexcept requires clearable<F> {
    filter_.clear();
    keys_.clear();
  }

  // --- erases ---
  result<void> erase(receipt&& r) noexcept {
    detail::require(!r.empty(),
                    "checked_filter: an empty receipt: it was used, moved, or never one");
    const key k = key_in(r);
    const auto done = filter_.erase(std::move(r));
    detail::require(done || done.error().code != errc::incompatible,
                    "checked_filter: a receipt of another filter, or a damaged one");
    const auto* const known = keys_.find(k);
    detail::require(known != nullptr,
                    "checked_filter: a receipt for a key that was never inserted here");
    detail::require(known->receipts != 0,
                    "checked_filter: a receipt was used twice: another key's fingerprint "
                    "may be gone");
    check_erase(k);
    note_erase(k, done, true);
    return done;
  }
  result<void> erase_present(key k) noexcept {
    check_erase(k);
    const auto done = filter_.erase_present(k);
    note_erase(k, done, false);
    return done;
  }
  result<void> erase_present(std::string_view text) noexcept {
    return erase_present(hash(text));
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    detail::require_answers(ks.size(), erased.size());
    auto planned = detail::shadow_multiset();  // the same key several times in one batch
    for (const key k : ks) {
      planned.add(k, false);
      check_erase(k, planned.copies(k));
    }
    const auto done = filter_.erase_present(ks, erased);
    if (!done) return done;
    for (std::size_t i = 0; i < ks.size(); ++i)
      note_erase(ks[i], erased[i] ? result<void>() : error{errc::not_present, ""}, false);
    return done;
  }

  // --- what a filter has besides ---
  const bloomery::hasher& hasher() const noexcept { return filter_.hasher(); }
  BLOOMERY_INLINE key hash(std::string_view text) const noexcept {
    return filter_.hash(text);
  }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return filter_.realised_fpr(); }
  double estimated_keys() const noexcept { return filter_.estimated_keys(); }
  double fill() const noexcept { return filter_.fill(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

 private:
  static key key_in(const receipt& r) noexcept {
    const auto bytes = r.bytes();
    std::uint64_t hash = 0;  // little-endian
    for (std::size_t i = 8; i-- > 0;)
      hash = hash << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return key::from_bits(hash);
  }
  static void check_found(bool found) noexcept {
    detail::require(found,
                    "checked_filter: a key that is in was not found: a false negative");
  }
  void check_count(key k, std::uint64_t copies) const noexcept {
    if constexpr (counting<F>)
      detail::require(filter_.count(k) >= copies,
                      "checked_filter: the filter counts fewer copies than there are");
  }
  void note_insert(key k, bool with_receipt) noexcept {
    keys_.add(k, with_receipt);
    check_found(filter_.may_contain(k));
  }
  void check_erase(key k, std::uint64_t times = 1) const noexcept {
    const auto* const known = keys_.find(k);
    detail::require(
        known != nullptr,
        "checked_filter: erase of a key that was never inserted: another key's "
        "fingerprint would be deleted");
    detail::require(known->copies >= times,
                    "checked_filter: a key is erased more often than it was inserted");
  }
  // `corrupt`: damaged bytes, where nothing has changed.
  void note_erase(key k, const result<void>& done, bool by_receipt) noexcept {
    if (!done && done.error().code == errc::corrupt) return;
    check_found(done.has_value());
    keys_.take(k, by_receipt);
    check_found(keys_.copies(k) == 0 || filter_.may_contain(k));
  }

  F filter_;
  detail::shadow_multiset keys_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
