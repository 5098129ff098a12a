// Finds every newline (or NUL) in a block: one memchr per line is too slow for short
// lines.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery::cli {

// Bit i is set if data[i] == c, for i < 64.
inline std::uint64_t matches_in_64(const char* data, char c) {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(c);
  std::uint64_t mask = 0;
  for (int part = 0; part < 4; ++part) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + 16 * part));
    const auto hits =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
    mask |= static_cast<std::uint64_t>(hits) << (16 * part);
  }
  return mask;
#else
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; ++i) mask |= static_cast<std::uint64_t>(data[i] == c) << i;
  return mask;
#endif
}

// Calls found(i) for each i in [from, to) with data[i] == c, in order.
template <class Found>
void for_each_terminator(const char* data, std::size_t from, std::size_t to, char c,
                         Found found) {
  std::size_t i = from;
  for (; i + 64 <= to; i += 64)
    for (std::uint64_t mask = matches_in_64(data + i, c); mask != 0; mask &= mask - 1)
      found(i + static_cast<std::size_t>(std::countr_zero(mask)));
  for (; i < to; ++i)
    if (data[i] == c) found(i);
}

}  // namespace bloomery::cli
