// What SCANDUMP and LOADCHUNK of both filters have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "replies.hpp"
#include "value.hpp"

namespace bloomery::redis {

// RedisBloom's.
inline constexpr std::size_t max_chunk = std::size_t{16} << 20;

// Half a filter would be taken for a whole one.
inline constexpr const char* not_loaded =
    "ERR the filter is not loaded completely: chunks are missing";

inline std::span<const std::byte> bytes_of(const server::string* s) noexcept {
  const std::string_view text = text_of(s);
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline void reply_bytes(server::context* ctx, std::span<const std::byte> some) noexcept {
  server::ReplyWithStringBuffer(ctx, reinterpret_cast<const char*>(some.data()),
                                some.size());
}

// The header, with the iterator 1.
template <class F>
int reply_header(server::context* ctx, const F& f) noexcept {
  const memory_scope scope(server_memory);
  auto header = pages::make(f.header_size());
  if (!header) return refuse(ctx, "ERR not enough memory");
  f.encode_header(header->bytes());
  server::ReplyWithArray(ctx, 2);
  server::ReplyWithLongLong(ctx, 1);
  reply_bytes(ctx, header->bytes());
  return server::ok;
}

// The chunk at an iterator; empty: none is left.
template <class F>
std::span<const std::byte> chunk_at(const F& f, long long iterator) noexcept {
  if (iterator <= 0) return {};
  const auto some = f.bytes_at(static_cast<std::uint64_t>(iterator - 1));
  return some.first(std::min(some.size(), max_chunk));
}

}  // namespace bloomery::redis
