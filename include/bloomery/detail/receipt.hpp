// Proof that a key was inserted: the first erase by it is safe for all other keys.
//
//   auto r = f.try_insert_with_receipt("alice");   // result<receipt>
//   store(r->bytes());                             // 16 bytes, beside the record
//   f.erase(std::move(*r));                        // deletes that copy; once only
//
// A filter stores fingerprints, not keys.  Erasing a key that was never inserted, but
// tests positive, deletes the fingerprint of another key: a false negative.  A receipt is
// the key's hash and a check over hash, layout, hasher and identity of the filter that
// issued it, so that filter recognises its own receipts.
//
// What it does not do.
//   - Forgery is prevented only if the filter's hasher is keyed (SipHash under a secret).
//     Otherwise anybody can compute the check.
//   - Use it once.  A receipt that was stored and is used twice is refused (not_present)
//     unless an equal fingerprint, possibly of another key, is in the filter at that
//     time. checked_filter.hpp detects this in tests.
//   - Two filters of one layout, hasher and identity accept each other's receipts: give
//     each its own identity (params::identity) if that can happen.
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
  static constexpr std::size_t size_in_bytes = 16;

  // A receipt for no key.
  constexpr receipt() noexcept = default;
  receipt(receipt&& other) noexcept
      : hash_(std::exchange(other.hash_, 0)), check_(std::exchange(other.check_, 0)) {}
  receipt& operator=(receipt&& other) noexcept {
    const std::uint64_t hash = std::exchange(other.hash_, 0);
    check_ = std::exchange(other.check_, 0);
    hash_ = hash;
    return *this;
  }

  // Moved from, used, or of no key.
  constexpr bool empty() const noexcept { return check_ == 0; }

  // The bytes to store: the hash and the check, little-endian.  All zero if it is empty.
  BLOOMERY_EXPORT std::array<std::byte, size_in_bytes> bytes() const noexcept;
  // Any 16 bytes: whether they are a receipt is decided by the filter.
  BLOOMERY_EXPORT static receipt from_bytes(
      std::span<const std::byte, size_in_bytes> stored) noexcept;

  // --- for filters ---
  // `scope` distinguishes filters of one hasher: layout and identity (receipt_scope).
  static receipt issue(const hasher& h, key k, std::uint64_t scope) noexcept {
    return receipt(k.bits(), h.receipt_check(k, scope));
  }
  // The key that it is for.  Errors: incompatible, unless a filter with this hasher and
  // scope issued it.
  result<bloomery::key> key_for(const hasher& h, std::uint64_t scope) const noexcept {
    const bloomery::key k = bloomery::key::from_bits(hash_);
    if (empty() || h.receipt_check(k, scope) != check_)
      return error{errc::incompatible,
                   "the receipt is of another filter, or it is damaged"};
    return k;
  }
  void use_up() noexcept { hash_ = check_ = 0; }

 private:
  constexpr receipt(std::uint64_t hash, std::uint64_t check) noexcept
      : hash_(hash), check_(check) {}

  std::uint64_t hash_ = 0;
  std::uint64_t check_ = 0;  // 0: empty
};
static_assert(sizeof(receipt) == receipt::size_in_bytes);

// The scope of a filter: its kind, two sizes of its layout and its identity.
BLOOMERY_EXPORT std::uint64_t receipt_scope(std::uint8_t kind, std::uint64_t units,
                                            std::uint64_t shape,
                                            std::uint64_t identity) noexcept;

}  // namespace bloomery::inline v1
