// BF.SCANDUMP and BF.LOADCHUNK: a filter in pieces, to and from RedisBloom.
#include <algorithm>
#include <span>
#include <string_view>

#include "bloom_value.hpp"
#include "commands.hpp"
#include "replies.hpp"
#include "settings.hpp"

namespace bloomery::redis {
namespace {

constexpr std::size_t max_chunk = std::size_t{16} << 20;

std::span<const std::byte> bytes_of(const server::string* s) noexcept {
  const std::string_view text = text_of(s);
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::uint64_t limit(server::context* ctx) noexcept {
  constexpr int decided = server::is_replicated | server::is_loading;
  return (server::GetContextFlags(ctx) & decided) != 0
             ? redisbloom_chain::no_limit
             : static_cast<std::uint64_t>(current.max_key_bytes);
}

int load_header(server::context* ctx, open_key& key, server::string** argv) noexcept {
  const memory_scope scope(server_memory);
  auto made = redisbloom_chain::from_header(bytes_of(argv[3]), limit(ctx));
  if (!made) {
    if (made.error().code == errc::corrupt) return refuse(ctx, "ERR received bad data");
    return refuse(ctx, "ERR could not create filter", made.error());
  }
  redisbloom_chain* f = new_bloom(*std::move(made));
  if (f == nullptr) return refuse(ctx, "ERR could not create filter");
  key.put(f);
  return server::ok;
}

const char* words_for(const error& e, const redisbloom_chain& f,
                      std::uint64_t offset) noexcept {
  if (e.code != errc::invalid_argument) return "ERR not enough memory";
  if (offset >= f.size_in_bytes()) return "ERR invalid offset - no link found";
  if (offset > f.loaded_bytes())
    return "ERR invalid offset - chunks are loaded in order, and bytes before this one "
           "are missing";
  return "ERR invalid chunk - Too big for current filter";
}

}  // namespace

// BF.SCANDUMP key iterator
int bf_scandump(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  const open_key key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_not_bloom()) return refuse(ctx, why);
  const redisbloom_chain& f = *key.bloom();
  long long iterator;
  if (server::StringToLongLong(argv[2], &iterator) != server::ok)
    return refuse(ctx, "Second argument must be numeric");
  // Half a filter would be taken for a whole one.
  if (!f.is_loaded())
    return refuse(ctx, "ERR the filter is not loaded completely: chunks are missing");
  if (iterator == 0) {
    const memory_scope scope(server_memory);
    auto header = pages::make(f.header_size());
    if (!header) return refuse(ctx, "ERR not enough memory");
    f.encode_header(header->bytes());
    server::ReplyWithArray(ctx, 2);
    server::ReplyWithLongLong(ctx, 1);
    server::ReplyWithStringBuffer(ctx, reinterpret_cast<const char*>(header->data()),
                                  header->size());
    return server::ok;
  }
  std::span<const std::byte> chunk;
  if (iterator > 0) chunk = f.bytes_at(static_cast<std::uint64_t>(iterator - 1));
  chunk = chunk.first(std::min(chunk.size(), max_chunk));
  server::ReplyWithArray(ctx, 2);
  server::ReplyWithLongLong(
      ctx, chunk.empty() ? 0 : iterator + static_cast<long long>(chunk.size()));
  server::ReplyWithStringBuffer(ctx, reinterpret_cast<const char*>(chunk.data()),
                                chunk.size());
  return server::ok;
}

// BF.LOADCHUNK key iterator data
int bf_loadchunk(server::context* ctx, server::string** argv, int argc) {
  if (argc != 4) return server::WrongArity(ctx);
  long long iterator;
  if (server::StringToLongLong(argv[2], &iterator) != server::ok)
    return refuse(ctx, "ERR Second argument must be numeric");
  open_key key(ctx, argv[1], server::mode_read | server::mode_write);
  if (key.is_missing() && iterator == 1) {
    load_header(ctx, key, argv);
    if (key.bloom() == nullptr) return server::ok;  // it has said why
  } else {
    if (const char* why = key.why_not_bloom()) return refuse(ctx, why);
    redisbloom_chain& f = *key.bloom();
    const auto chunk = bytes_of(argv[3]);
    if (iterator <= 0 || chunk.empty() ||
        static_cast<std::uint64_t>(iterator) - 1 < chunk.size())
      return refuse(ctx, "ERR received bad data");
    const std::uint64_t offset = static_cast<std::uint64_t>(iterator) - 1 - chunk.size();
    if (const auto in = f.load(offset, chunk); !in)
      return refuse(ctx, words_for(in.error(), f, offset));
  }
  server::ReplicateVerbatim(ctx);
  server::SignalModifiedKey(ctx, argv[1]);
  server::NotifyKeyspaceEvent(ctx, server::notify_generic, "bloom.load", argv[1]);
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

}  // namespace bloomery::redis
