// Replies in the forms of RedisBloom.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string_view>

#include <bloomery/result.hpp>

#include "binding.hpp"

namespace bloomery::redis {

// True or false in RESP3, 1 or 0 in RESP2.
inline void reply_bool(server::context* ctx, bool yes) noexcept {
  if (server::ReplyWithBool != nullptr)
    server::ReplyWithBool(ctx, yes ? 1 : 0);
  else
    server::ReplyWithLongLong(ctx, yes ? 1 : 0);
}

inline void reply_number(server::context* ctx, std::uint64_t n) noexcept {
  server::ReplyWithLongLong(ctx, static_cast<long long>(n));
}

inline bool is_resp3(server::context* ctx) noexcept {
  return server::ReplyWithMap != nullptr &&
         (server::GetContextFlags(ctx) & server::is_resp3) != 0;
}

inline int refuse(server::context* ctx, const char* text) noexcept {
  server::ReplyWithError(ctx, text);
  return server::ok;
}

// RedisBloom's words, then what it is about: sizes, where they are known.
inline int refuse(server::context* ctx, const char* text, const error& why) noexcept {
  char all[256];
  if (why.code == errc::too_large && why.possible > 0)
    std::snprintf(all, sizeof all,
                  "%s: it would take %.0f bytes, and max-key-bytes is %.0f", text,
                  why.asked, why.possible);
  else if (why.code == errc::out_of_memory)
    std::snprintf(all, sizeof all, "%s: not enough memory for %.0f bytes", text,
                  why.asked);
  else
    std::snprintf(all, sizeof all, "%s: %s", text, why.what);
  return refuse(ctx, all);
}

}  // namespace bloomery::redis
