#include <bloomery/detail/receipt.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "hash/siphash.hpp"

namespace bloomery::inline v1 {
namespace {

// Keys and receipts are hashed under different SipHash keys.  Under the same one, the
// hash in the receipt of a well-chosen key would be the check of another.
constexpr std::uint64_t receipts_k0 = 0x72656d6f6f6c622e;  // ".bloomer", little-endian
constexpr std::uint64_t receipts_k1 = 0x7470696563657279;  // "yreceipt"

}  // namespace

// spec/hash.md, section 8.
std::uint64_t hasher::receipt_check(key k, std::uint64_t scope) const noexcept {
  std::array<std::byte, 16> message;
  base::byte_writer out(message);
  out.write(k.bits());
  out.write(scope);
  const std::uint64_t k1 = id_ == hash_id::siphash13 ? b_ : 0;
  const std::uint64_t check = hash::siphash13(
      {reinterpret_cast<const char*>(message.data()), message.size()}, a_ ^ receipts_k0,
      k1 ^ receipts_k1 ^ static_cast<std::uint64_t>(id_));
  return check == 0 ? 1 : check;
}

std::array<std::byte, receipt::size_in_bytes> receipt::bytes() const noexcept {
  std::array<std::byte, size_in_bytes> stored;
  base::byte_writer out(stored);
  out.write(hash_);
  out.write(check_);
  out.write(number_);
  return stored;
}

receipt receipt::from_bytes(std::span<const std::byte, size_in_bytes> stored) noexcept {
  base::byte_reader in(stored);
  const auto hash = in.read<std::uint64_t>();
  const auto check = in.read<std::uint64_t>();
  return {hash, check, in.read<std::uint64_t>()};
}

std::uint64_t receipt::numbered_scope(std::uint64_t scope,
                                      std::uint64_t number) noexcept {
  return number == 0 ? scope : hash::splitmix64(scope ^ number);
}

std::uint64_t receipt_scope(std::uint8_t kind, std::uint64_t units, std::uint64_t shape,
                            std::uint64_t identity) noexcept {
  std::uint64_t scope = hash::splitmix64(kind);
  for (const std::uint64_t x : {units, shape, identity})
    scope = hash::splitmix64(scope ^ x);
  return scope;
}

}  // namespace bloomery::inline v1
