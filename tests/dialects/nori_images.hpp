// nori's quotient filters and tables, made the way its code makes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crc32c.hpp"
#include "hash/xxh.hpp"

namespace bloomery::testing {

template <class T>
void put(std::vector<std::byte>& to, T v) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    to.push_back(static_cast<std::byte>((v >> (8 * i)) & 0xff));
}
inline void put_bytes(std::vector<std::byte>& to, std::span<const std::byte> from) {
  to.insert(to.end(), from.begin(), from.end());
}
inline void put_text(std::vector<std::byte>& to, std::string_view from) {
  put_bytes(to, std::as_bytes(std::span(from)));
}

// Keys that find no slot are dropped, as there.
inline std::vector<std::byte> quotient_image(const std::vector<std::string>& keys,
                                             unsigned q, unsigned r) {
  using fingerprint = std::pair<std::uint32_t, std::uint16_t>;
  std::vector<std::optional<fingerprint>> slots(std::size_t{1} << q);
  std::uint32_t count = 0;
  for (const std::string& k : keys) {
    const std::uint64_t h = hash::xxh64(k, 0);
    const fingerprint f(
        static_cast<std::uint32_t>(h >> (64 - q)),
        static_cast<std::uint16_t>((h >> (64 - q - r)) & ((1u << r) - 1)));
    for (std::size_t i = 0; i < slots.size(); ++i) {
      auto& slot = slots[(f.first + i) % slots.size()];
      if (slot == f) break;
      if (slot) continue;
      slot = f;
      ++count;
      break;
    }
  }
  std::vector<std::byte> out;
  put(out, std::uint8_t{1});
  put(out, static_cast<std::uint8_t>(q));
  put(out, static_cast<std::uint8_t>(r));
  put(out, count);
  put(out, static_cast<std::uint32_t>(slots.size()));
  for (const auto& slot : slots) {
    put(out, static_cast<std::uint8_t>(slot.has_value()));
    if (!slot) continue;
    put(out, slot->first);
    put(out, slot->second);
  }
  return out;
}

struct sstable_footer {
  std::uint64_t index_at = 0, index_size = 0, bloom_at = 0, bloom_size = 0;
  std::uint8_t compression = 0;
  std::uint64_t entries = 0;
  std::uint8_t format = 1;
};

inline void put_footer(std::vector<std::byte>& to, const sstable_footer& f) {
  std::vector<std::byte> out;
  put(out, f.index_at);
  put(out, f.index_size);
  put(out, f.bloom_at);
  put(out, f.bloom_size);
  put(out, f.compression);
  put(out, std::uint32_t{4096});
  put(out, f.entries);
  put(out, f.format);
  put(out, static_cast<std::uint8_t>(f.format == 2 ? 7 : 0));
  out.resize(52);
  put_text(out, "NORISSTL");
  put(out, base::crc32c(out));
  put_bytes(to, out);
}

// A table of format 0 or 1 around a Bloom section; its data is never looked at.
inline std::vector<std::byte> bloom_table(std::span<const std::byte> section,
                                          std::uint8_t format = 1) {
  std::vector<std::byte> out(100, std::byte{0xaa});
  sstable_footer f;
  f.format = format;
  f.index_at = out.size();
  put(out, std::uint32_t{0});
  f.index_size = 4;
  f.bloom_at = out.size();
  f.bloom_size = section.size();
  put_bytes(out, section);
  put_footer(out, f);
  return out;
}

// A table of format 2: keys must ascend; `a_block` of them to a block, each block with a
// filter of 2^q slots, or none where q is 0.
inline std::vector<std::byte> block_table(const std::vector<std::string>& keys,
                                          std::size_t a_block, unsigned q,
                                          std::uint8_t compression = 0) {
  std::vector<std::byte> out, index;
  std::uint32_t blocks = 0;
  for (std::size_t i = 0; i < keys.size(); i += a_block, ++blocks) {
    const auto from = keys.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<std::string> some(
        from, from + static_cast<std::ptrdiff_t>(std::min(a_block, keys.size() - i)));
    const std::size_t at = out.size();
    put_text(out, "entries");  // not looked at
    put(out, std::uint32_t{0});
    put(out, std::uint32_t{1});
    const auto filter = q == 0 ? std::vector<std::byte>{} : quotient_image(some, q, 7);
    put_bytes(out, filter);
    put(out, static_cast<std::uint16_t>(filter.size()));
    put(index, static_cast<std::uint8_t>(some[0].size()));  // below 128: one byte
    put_text(index, some[0]);
    put(index, std::uint64_t{at});
    put(index, static_cast<std::uint32_t>(out.size() - at));
  }
  put(index, blocks);
  sstable_footer f;
  f.format = 2;
  f.compression = compression;
  f.entries = keys.size();
  f.index_at = out.size();
  f.index_size = index.size();
  put_bytes(out, index);
  put_footer(out, f);
  return out;
}

}  // namespace bloomery::testing
