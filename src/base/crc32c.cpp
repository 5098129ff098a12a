#include "base/crc32c.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "base/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define BLOOMERY_CRC_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__)
#define BLOOMERY_CRC_TARGET __attribute__((target("+crc")))
#endif

namespace bloomery::base {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;

// tables[j][b]: the CRC of byte b followed by j zero bytes (Kounavis and Berry 2005,
// slicing by eight).
constexpr auto make_tables() noexcept {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int i = 0; i < 8; ++i) c = (c >> 1) ^ ((c & 1) != 0 ? polynomial : 0);
    t[0][b] = c;
  }
  for (std::size_t j = 1; j < 8; ++j)
    for (std::size_t b = 0; b < 256; ++b)
      t[j][b] = (t[j - 1][b] >> 8) ^ t[0][t[j - 1][b] & 0xff];
  return t;
}
constexpr auto tables = make_tables();

std::uint32_t by_tables(const std::byte* p, std::size_t n, std::uint32_t c) noexcept {
  for (; n >= 8; n -= 8, p += 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t crc_byte = i < 4 ? c >> (8 * i) & 0xff : 0;
      next ^= tables[7 - i][crc_byte ^ static_cast<std::uint32_t>(p[i])];
    }
    c = next;
  }
  for (; n != 0; --n, ++p)
    c = (c >> 8) ^ tables[0][(c & 0xff) ^ static_cast<std::uint32_t>(*p)];
  return c;
}

#if defined(BLOOMERY_CRC_TARGET)
// One step of each lane, so that none waits for itself.  REQUIRES: n % 8 == 0
constexpr std::size_t lanes = 4;

#if defined(__x86_64__)
BLOOMERY_CRC_TARGET inline std::uint32_t step(std::uint32_t c, std::uint64_t w) noexcept {
  return static_cast<std::uint32_t>(_mm_crc32_u64(c, w));
}
BLOOMERY_CRC_TARGET inline std::uint32_t step(std::uint32_t c, std::byte b) noexcept {
  return _mm_crc32_u8(c, static_cast<unsigned char>(b));
}
#else
BLOOMERY_CRC_TARGET inline std::uint32_t step(std::uint32_t c, std::uint64_t w) noexcept {
  return __builtin_aarch64_crc32cx(c, w);
}
BLOOMERY_CRC_TARGET inline std::uint32_t step(std::uint32_t c, std::byte b) noexcept {
  return __builtin_aarch64_crc32cb(c, static_cast<unsigned char>(b));
}
#endif

BLOOMERY_CRC_TARGET std::uint32_t by_instruction(const std::byte* p, std::size_t n,
                                                 std::uint32_t c) noexcept {
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    c = step(c, w);
  }
  for (; n != 0; --n, ++p) c = step(c, *p);
  return c;
}

BLOOMERY_CRC_TARGET void side_by_side(const std::byte* p, std::size_t n,
                                      std::uint32_t* out) noexcept {
  std::uint32_t c[lanes];
  for (std::uint32_t& one : c) one = ~0u;
  for (std::size_t i = 0; i < n; i += 8)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::uint64_t w;
      std::memcpy(&w, p + lane * n + i, 8);
      c[lane] = step(c[lane], w);
    }
  for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = ~c[lane];
}
#endif

}  // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes,
                              std::uint32_t before) noexcept {
  return ~by_tables(bytes.data(), bytes.size(), ~before);
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
#if defined(BLOOMERY_CRC_TARGET)
  if (cpu().crc32c) return ~by_instruction(bytes.data(), bytes.size(), ~before);
#endif
  return crc32c_portable(bytes, before);
}

void crc32c_chunks(std::span<const std::byte> bytes, std::size_t chunk,
                   std::span<std::uint32_t> out) noexcept {
  assert(chunk % 8 == 0 && out.size() == (bytes.size() + chunk - 1) / chunk);
  std::size_t i = 0;
#if defined(BLOOMERY_CRC_TARGET)
  if (cpu().crc32c)
    for (; (i + lanes) * chunk <= bytes.size(); i += lanes)
      side_by_side(bytes.data() + i * chunk, chunk, &out[i]);
#endif
  for (; i < out.size(); ++i)
    out[i] = crc32c(bytes.subspan(i * chunk, std::min(chunk, bytes.size() - i * chunk)));
}

}  // namespace bloomery::base
