// Words of a filter that several threads use at once.
//
// Bits are only ever added, so a word read too early lacks bits and never has wrong ones,
// and it does not matter in which pieces a larger value arrives.  Loads are therefore
// plain, and kernels read whole lines by vector instructions: to the letter of C++ a race
// when another thread sets a bit, and on every CPU we know harmless, because an aligned
// word is read and written whole.  With BLOOMERY_STRICT_ATOMICS every access is an atomic
// one, as a race detector wants it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#define BLOOMERY_INLINE [[gnu::always_inline]] inline

namespace bloomery::inline v1 {
namespace words {

template <class Word>
struct aliased {
  using type [[gnu::may_alias]] = Word;
};
template <class Word>
using any = typename aliased<Word>::type;

// Loads a word in native byte order.  REQUIRES: p is aligned to the word
template <class Word>
BLOOMERY_INLINE Word load(const std::byte* p) noexcept {
#if defined(BLOOMERY_STRICT_ATOMICS)
  return __atomic_load_n(reinterpret_cast<const any<Word>*>(p), __ATOMIC_RELAXED);
#else
  Word v;
  std::memcpy(&v, p, sizeof v);
  return v;
#endif
}
// The same at any address: its bytes may be of different moments.
template <class Word>
BLOOMERY_INLINE Word load_anywhere(const std::byte* p) noexcept {
#if defined(BLOOMERY_STRICT_ATOMICS)
  std::byte bytes[sizeof(Word)];
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[i] = static_cast<std::byte>(
        __atomic_load_n(reinterpret_cast<const unsigned char*>(p) + i, __ATOMIC_RELAXED));
  p = bytes;
#endif
  Word v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class Word>
BLOOMERY_INLINE void store(std::byte* p, Word v) noexcept {
#if defined(BLOOMERY_STRICT_ATOMICS)
  __atomic_store_n(reinterpret_cast<any<Word>*>(p), v, __ATOMIC_RELAXED);
#else
  std::memcpy(p, &v, sizeof v);
#endif
}

// Bytes, any of which may be none.
template <class Bytes>
bool equal(const Bytes& a, const Bytes& b) noexcept {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// One of two values without a branch, where it would be predicted wrong: compilers turn
// a conditional expression, whose arms are cheap, into one all the same.
template <class Word>
BLOOMERY_INLINE constexpr Word select(bool second, Word first_value,
                                      Word second_value) noexcept {
  return first_value ^ ((first_value ^ second_value) & (Word{0} - Word{second}));
}

// The same in little-endian order, which is that of filters on every machine.
BLOOMERY_INLINE std::uint32_t as_little_endian(std::uint32_t v) noexcept {
  return std::endian::native == std::endian::big ? __builtin_bswap32(v) : v;
}
BLOOMERY_INLINE std::uint64_t as_little_endian(std::uint64_t v) noexcept {
  return std::endian::native == std::endian::big ? __builtin_bswap64(v) : v;
}
template <class Word>
BLOOMERY_INLINE Word load_le(const std::byte* p) noexcept {
  return as_little_endian(load<Word>(p));
}

// Adds bits whatever other threads add meanwhile: one instruction where the CPU has one.
// Relaxed: who learns by other means that this was done finds the bits by coherence.
BLOOMERY_INLINE void fetch_or(std::byte* p, std::uint64_t bits) noexcept {
  __atomic_fetch_or(reinterpret_cast<any<std::uint64_t>*>(p), bits, __ATOMIC_RELAXED);
}
BLOOMERY_INLINE void fetch_or_le(std::byte* p, std::uint64_t bits) noexcept {
  fetch_or(p, as_little_endian(bits));
}

// Copies words that others add bits to.  Every bit whose setting happens-before the call
// is in the copy.  REQUIRES: both aligned to 8, and readable to the next multiple of 8
BLOOMERY_INLINE void copy(std::byte* to, const std::byte* from,
                          std::size_t bytes) noexcept {
#if defined(BLOOMERY_STRICT_ATOMICS)
  for (std::size_t i = 0; i < bytes; i += 8) {
    const auto word = load<std::uint64_t>(from + i);
    std::memcpy(to + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace words
}  // namespace bloomery::inline v1
