#include "hash/leveldb.hpp"

#include <cstddef>

#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

constexpr std::uint32_t m = 0xc6a4a793;

// `widen` makes a byte of the tail a number.
template <class Widen>
std::uint32_t mixed(std::string_view bytes, std::uint32_t seed, Widen widen) noexcept {
  std::uint32_t h = seed ^ static_cast<std::uint32_t>(bytes.size()) * m;
  std::size_t at = 0;
  for (; bytes.size() - at >= 4; at += 4) {
    h += static_cast<std::uint32_t>(load_le(bytes, at, 4));
    h *= m;
    h ^= h >> 16;
  }
  if (at == bytes.size()) return h;
  for (unsigned shift = 0; at < bytes.size(); ++at, shift += 8)
    h += widen(static_cast<unsigned char>(bytes[at])) << shift;
  h *= m;
  return h ^ h >> 24;
}

}  // namespace

std::uint32_t leveldb(std::string_view bytes, std::uint32_t seed) noexcept {
  return mixed(bytes, seed, [](unsigned char c) noexcept { return std::uint32_t{c}; });
}

std::uint32_t rocksdb32(std::string_view bytes, std::uint32_t seed) noexcept {
  return mixed(bytes, seed, [](unsigned char c) noexcept {
    return static_cast<std::uint32_t>(c) - (c >= 0x80 ? 0x100u : 0u);
  });
}

}  // namespace bloomery::hash
