// Proof that a key was inserted: erasing by it is safe for all other keys.
//
//   auto r = f.try_insert_with_receipt("alice");   // result<receipt>
//   store(r->bytes());                             // 24 bytes, beside the record
//   f.erase(std::move(*r));                        // deletes that copy; once only
//
// A filter stores fingerprints, not keys.  Erasing a key that was never inserted, but
// tests positive, deletes the fingerprint of another key: a false negative.  A receipt is
// the key's hash and a check over hash, number, layout, hasher and identity of the filter
// that issued it.  A filter draws its identity, 64 random bits, when it issues its first
// receipt, unless its maker chose one; so it refuses the receipts of every other filter.
//
// What happens if a receipt is used twice:
//   - A receipt object is used up by the erase.  It cannot be copied.
//   - Bytes that were stored can be read twice.  The filter and its file record the use
//   of
//     a *numbered* receipt (try_insert_with_numbered_receipt, receipt_ledger.hpp), and
//     refuse it the second time: not_present, nothing has changed.
//   - An unnumbered receipt is refused (not_present) unless an equal fingerprint,
//   possibly of
//     another key, is in the filter at that time.  The filter cannot know.  The safe
//     pattern: keep the receipt in the record that it is for, and delete both in one
//     transaction of the store, before the erase.  After a crash between the two a key
//     stays in the filter, which is a false positive at worst.
//   - A filter that is restored from an older copy knows what that copy knew: discard the
//     receipts issued since.
// Forgery is prevented only if the filter's hasher is keyed (SipHash under a secret).
// Otherwise anybody can compute the check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class [[nodiscard]] receipt {
 public:
  static constexpr std::size_t size_in_bytes = 24;

  // A receipt for no key.
  constexpr receipt() noexcept = default;
  receipt(receipt&& other) noexcept
      : hash_(std::exchange(other.hash_, 0)),
        check_(std::exchange(other.check_, 0)),
        number_(std::exchange(other.number_, 0)) {}
  receipt& operator=(receipt&& other) noexcept {
    const receipt taken(std::move(other));  // other may be this
    hash_ = taken.hash_;
    check_ = taken.check_;
    number_ = taken.number_;
    return *this;
  }

  // Moved from, used, or of no key.
  constexpr bool empty() const noexcept { return check_ == 0; }

  // Its place among the numbered receipts of its filter, from 1; 0: it has none.
  constexpr std::uint64_t number() const noexcept { return number_; }

  // The bytes to store: hash, check and number, little-endian.  All zero if it is empty.
  BLOOMERY_EXPORT std::array<std::byte, size_in_bytes> bytes() const noexcept;
  // Any 24 bytes: whether they are a receipt is decided by the filter.
  BLOOMERY_EXPORT static receipt from_bytes(
      std::span<const std::byte, size_in_bytes> stored) noexcept;

  // --- for filters ---
  // `scope` distinguishes filters of one hasher: layout and identity (receipt_scope).
  static receipt issue(const hasher& h, key k, std::uint64_t scope,
                       std::uint64_t number = 0) noexcept {
    return receipt(k.bits(), h.receipt_check(k, numbered_scope(scope, number)), number);
  }
  // The key that it is for.  Errors: incompatible, unless a filter with this hasher and
  // scope issued it.
  result<bloomery::key> key_for(const hasher& h, std::uint64_t scope) const noexcept {
    const bloomery::key k = bloomery::key::from_bits(hash_);
    if (empty() || h.receipt_check(k, numbered_scope(scope, number_)) != check_)
      return error{errc::incompatible,
                   "the receipt is of another filter, or it is damaged"};
    return k;
  }
  void use_up() noexcept { hash_ = check_ = number_ = 0; }

 private:
  constexpr receipt(std::uint64_t hash, std::uint64_t check,
                    std::uint64_t number) noexcept
      : hash_(hash), check_(check), number_(number) {}
  BLOOMERY_EXPORT static std::uint64_t numbered_scope(std::uint64_t scope,
                                                      std::uint64_t number) noexcept;

  std::uint64_t hash_ = 0;
  std::uint64_t check_ = 0;  // 0: empty
  std::uint64_t number_ = 0;
};
static_assert(sizeof(receipt) == receipt::size_in_bytes);

// The scope of a filter: its kind, two sizes of its layout and its identity.
BLOOMERY_EXPORT std::uint64_t receipt_scope(std::uint8_t kind, std::uint64_t units,
                                            std::uint64_t shape,
                                            std::uint64_t identity) noexcept;

}  // namespace bloomery::inline v1
