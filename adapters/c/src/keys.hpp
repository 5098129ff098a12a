// Keys as they come from C, in groups that the library takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

inline bool is_readable(const void* data, std::size_t size) noexcept {
  return data != nullptr || size == 0;
}

// REQUIRES: is_readable(data, size)
inline std::string_view text_of(const void* data, std::size_t size) noexcept {
  return size == 0 ? std::string_view("")
                   : std::string_view(static_cast<const char*>(data), size);
}

// The hasher of a filter, of a view, or of what a handle holds.
decltype(auto) hasher_of(const auto& f) noexcept {
  if constexpr (requires { f.hash(); })
    return f.hash();
  else
    return f.hasher();
}

// Whether a filter, view or set was made from keys of this source; others would never be
// found.  Another system's filter takes bytes, and hashes them itself.
bool takes_bytes(const auto& f) noexcept {
  return is_hashed_as_bytes(hasher_of(f).source());
}
inline bool takes_bytes(const foreign_filter&) noexcept { return true; }
bool takes_integers(const auto& f) noexcept {
  return hasher_of(f).source() == key_source::integers;
}
constexpr auto of_bytes = [](const auto& f) noexcept { return takes_bytes(f); };
constexpr auto of_integers = [](const auto& f) noexcept { return takes_integers(f); };
constexpr auto hashed = [](const auto&) noexcept { return true; };
inline error other_source() noexcept {
  return {errc::incompatible, "the filter was made for keys of another source"};
}

// Hashes are keys: a key is its 64 bits and nothing else.
static_assert(sizeof(key) == sizeof(std::uint64_t) && std::is_standard_layout_v<key> &&
              std::is_trivially_copyable_v<key>);
inline std::span<const key> keys_of(const std::uint64_t* hashes,
                                    std::size_t count) noexcept {
  return {reinterpret_cast<const key*>(hashes), count};
}

// Answers go where the caller wants them: a bool is a byte of 0 or 1.
static_assert(sizeof(bool) == 1);
inline std::span<bool> answers_of(std::uint8_t* perhaps, std::size_t count) noexcept {
  return {reinterpret_cast<bool*>(perhaps), count};
}

// `count` pointers and sizes.
struct separate_keys {
  const void* const* keys;
  const std::size_t* sizes;
  std::size_t count;

  bool is_readable() const noexcept {
    if (count != 0 && (keys == nullptr || sizes == nullptr)) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (!c_abi::is_readable(keys[i], sizes[i])) return false;
    return true;
  }
  std::string_view operator[](std::size_t i) const noexcept {
    return text_of(keys[i], sizes[i]);
  }
};

// Keys one behind the other, with `count` + 1 offsets.
struct packed_keys {
  const void* data;
  const std::uint64_t* offsets;
  std::size_t count;

  bool is_readable() const noexcept {
    if (count == 0) return true;
    if (offsets == nullptr || !std::is_sorted(offsets, offsets + count + 1)) return false;
    return offsets[count] <= SIZE_MAX / 2 && c_abi::is_readable(data, offsets[count]);
  }
  std::string_view operator[](std::size_t i) const noexcept {
    return text_of(static_cast<const char*>(data) + offsets[i],
                   static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

inline constexpr std::size_t group_size = 512;

// More threads than this are a mistake, not a wish.
inline constexpr std::uint32_t max_threads = 256;

// Calls use(span<const string_view>, index of its first) until all keys are through.
// REQUIRES: ks.is_readable()
template <class Keys, class Use>
void in_groups(const Keys& ks, Use use) noexcept {
  std::array<std::string_view, group_size> group;
  for (std::size_t first = 0; first < ks.count; first += group_size) {
    const std::size_t n = std::min(group_size, ks.count - first);
    for (std::size_t i = 0; i < n; ++i) group[i] = ks[first + i];
    use(std::span<const std::string_view>(group.data(), n), first);
  }
}

// The same, hashed: use(span<const key>, index of its first).
template <class Keys, class Use>
void in_groups(const hasher& h, const Keys& ks, Use use) noexcept {
  std::array<key, group_size> group;
  if (!h.hashes_text_inline())
    return in_groups(ks, [&](std::span<const std::string_view> texts, std::size_t first) {
      const auto keys = std::span(group).first(texts.size());
      h.hash(texts, keys);
      use(std::span<const key>(keys), first);
    });
  for (std::size_t first = 0; first < ks.count; first += group_size) {
    const std::size_t n = std::min(group_size, ks.count - first);
    for (std::size_t i = 0; i < n; ++i) group[i] = h.hash(ks[first + i]);
    use(std::span<const key>(group.data(), n), first);
  }
}
template <class Use>
void in_groups(const hasher& h, const std::uint64_t* numbers, std::size_t count,
               Use use) noexcept {
  std::array<key, group_size> group;
  for (std::size_t first = 0; first < count; first += group_size) {
    const auto keys = std::span(group).first(std::min(group_size, count - first));
    h.hash_u64({numbers + first, keys.size()}, keys);
    use(std::span<const key>(keys), first);
  }
}

// The same for calls that may stop: hash_at(index) is a key, use(span<const key>) a
// result<void>.  At least one call, so that one that is always refused is.
template <class HashAt, class Use>
result<void> in_hashed_groups(std::size_t count, HashAt hash_at, Use use) noexcept {
  std::array<key, group_size> group;
  std::size_t first = 0;
  do {
    const std::size_t n = std::min(group_size, count - first);
    for (std::size_t i = 0; i < n; ++i) group[i] = hash_at(first + i);
    if (auto ok = use(std::span<const key>(group.data(), n)); !ok) return ok;
    first += n;
  } while (first < count);
  return {};
}

}  // namespace bloomery::c_abi
