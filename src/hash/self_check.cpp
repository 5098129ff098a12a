// Known answers of every hash, from their authors' publications and reference programs.
#include <bloomery/hasher.hpp>

#include <array>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/fnv1a.hpp"
#include "hash/murmur.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"

namespace bloomery::inline v1 {
namespace {

// 15 bytes 00 01 .. 0e: the input of the last vector in the SipHash paper.
constexpr std::string_view fifteen(
    "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e", 15);
constexpr std::uint64_t sip_k0 = 0x0706050403020100, sip_k1 = 0x0f0e0d0c0b0a0908;

bool fnv1a_agrees() noexcept {
  const std::array<std::string_view, 9> keys{"",       "a",  "foobar", "k0", "foobar",
                                             "foobar", "k0", "",       "a"};
  std::array<key, 9> batch;
  hash::fnv1a_splitmix(keys, batch);  // the interleaved path and its remainder
  return hash::fnv1a64("") == 0xcbf29ce484222325 &&
         hash::fnv1a64("foobar") == 0x85944171f73967e8 &&
         hash::splitmix64(0) == 0xe220a8397b1dcdaf &&
         hash::fnv1a_splitmix("k0") == 0x818ba4c7a135317f &&
         batch[0].bits() == 0xc3817c016ba4ff30 && batch[2].bits() == 0x5df295413403de4f &&
         batch[8].bits() == 0x5f29c2aadd9b8527;
}

bool xxh_agrees() noexcept {
  return hash::xxh64("", 0) == 0xef46db3751d8e999 &&
         hash::xxh64("k0", 1) == 0x014336fbdf021d2d &&
         hash::xxh3("", 0) == 0x2d06800538d394c2 &&
         hash::xxh3("k0", 1) != hash::xxh3("k0", 0);
}

bool murmur_agrees() noexcept {
  return hash::murmur3_x64_128("hello", 0) ==
             hash::u64_pair{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19} &&
         hash::murmur64a("", 0xc6a4a7935bd1e995) == 0x1ab11ea5a7b2c56e &&
         hash::murmur64a("", 0) == 0;
}

bool siphash_agrees() noexcept {
  return hash::siphash13("", sip_k0, sip_k1) == 0xabac0158050fc4dc &&
         hash::siphash13(fifteen, sip_k0, sip_k1) == 0xd320d86d2a519956;
}

}  // namespace

result<void> check_hashes() noexcept {
  if (!fnv1a_agrees()) return error{errc::corrupt, "FNV-1a64 + SplitMix64 self-check"};
  if (!xxh_agrees()) return error{errc::corrupt, "XXH3 / XXH64 self-check"};
  if (!murmur_agrees()) return error{errc::corrupt, "MurmurHash self-check"};
  if (!siphash_agrees()) return error{errc::corrupt, "SipHash-1-3 self-check"};
  return {};
}

}  // namespace bloomery::inline v1
