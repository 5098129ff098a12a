#include "base/bits.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cassert>

#include <bloomery/detail/probe/words.hpp>

#include "base/cpu.hpp"

namespace bloomery::base {
namespace {

inline unsigned byte_at(const std::byte* p) noexcept {
  return words::load<unsigned char>(p);
}

std::uint64_t ones_in_bytes(const std::byte* p, std::size_t bytes) noexcept {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    ones += static_cast<std::uint64_t>(std::popcount(byte_at(p + i)));
  return ones;
}

inline std::uint64_t ones_in_words(const std::byte* p, std::size_t words) noexcept {
#if defined(BLOOMERY_STRICT_ATOMICS)
  return ones_in_bytes(p, 8 * words);  // atomic, and aligned wherever they begin
#endif
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < words; ++i)
    ones += static_cast<std::uint64_t>(std::popcount(load_u64(p + 8 * i)));
  return ones;
}

#if defined(__x86_64__) && !defined(BLOOMERY_STRICT_ATOMICS)
// Nibbles by table, 32 bytes at a time (Mula, Kurz, Lemire 2018: Faster population counts
// using AVX2 instructions).  The baseline of x86-64 has no instruction for it.
__attribute__((target("avx2"))) std::uint64_t ones_by_avx2(const std::byte* p,
                                                           std::size_t words) noexcept {
  const __m256i ones_of =
      _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                       2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(0x0f);
  __m256i sums = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 4 <= words; i += 4) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 8 * i));
    const __m256i a = _mm256_shuffle_epi8(ones_of, _mm256_and_si256(v, low));
    const __m256i b =
        _mm256_shuffle_epi8(ones_of, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    sums = _mm256_add_epi64(
        sums, _mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256()));
  }
  alignas(32) std::uint64_t four[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(four), sums);
  return four[0] + four[1] + four[2] + four[3] + ones_in_words(p + 8 * i, words - i);
}
#endif

std::uint64_t count_words(const std::byte* p, std::size_t words) noexcept {
#if defined(__x86_64__) && !defined(BLOOMERY_STRICT_ATOMICS)
  if (cpu().avx2) return ones_by_avx2(p, words);
#endif
  return ones_in_words(p, words);
}

}  // namespace

std::uint64_t count_ones(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  assert(bits <= 8 * static_cast<std::uint64_t>(bytes.size()));
  const auto whole = static_cast<std::size_t>(bits / 8);
  std::uint64_t ones = count_words(bytes.data(), whole / 8) +
                       ones_in_bytes(bytes.data() + whole / 8 * 8, whole % 8);
  if (const unsigned rest = bits % 8; rest != 0) {
    const unsigned kept = byte_at(bytes.data() + whole) & ((1u << rest) - 1);
    ones += static_cast<std::uint64_t>(std::popcount(kept));
  }
  return ones;
}

bool padding_is_clear(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  const unsigned used = bits % 8;
  return used == 0 || (static_cast<unsigned>(bytes.back()) >> used) == 0;
}

void or_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept {
  assert(a.size() == b.size());
  std::byte* to = a.data();
  const std::byte* from = b.data();
  for (std::size_t i = 0, n = a.size(); i < n; ++i) to[i] |= from[i];
}

void and_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept {
  assert(a.size() == b.size());
  std::byte* to = a.data();
  const std::byte* from = b.data();
  for (std::size_t i = 0, n = a.size(); i < n; ++i) to[i] &= from[i];
}

}  // namespace bloomery::base
