// CF.SCANDUMP and CF.LOADCHUNK: a filter in pieces, to and from RedisBloom.
#include "commands.hpp"
#include "dump_commands.hpp"

namespace bloomery::redis {

// CF.SCANDUMP key position
int cf_scandump(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  long long position;
  if (server::StringToLongLong(argv[2], &position) != server::ok || position < 0)
    return refuse(ctx, "Invalid position");
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const cuckoo& f = *key.filter();
  if (!f.is_loaded()) return refuse(ctx, not_loaded);
  // An empty filter has no dump, as in RedisBloom.
  if (f.keys() != 0 && position == 0) return reply_header(ctx, f);
  const auto chunk = f.keys() != 0 ? chunk_at(f, position) : std::span<const std::byte>();
  server::ReplyWithArray(ctx, 2);
  if (chunk.empty()) {
    server::ReplyWithLongLong(ctx, 0);
    server::ReplyWithNull(ctx);
  } else {
    server::ReplyWithLongLong(ctx, position + static_cast<long long>(chunk.size()));
    reply_bytes(ctx, chunk);
  }
  return server::ok;
}

// CF.LOADCHUNK key position data
int cf_loadchunk(server::context* ctx, server::string** argv, int argc) {
  if (argc != 4) return server::WrongArity(ctx);
  long long position;
  if (server::StringToLongLong(argv[2], &position) != server::ok || position <= 0)
    return refuse(ctx, "Invalid position");
  open_key<cuckoo> key(ctx, argv[1], server::mode_read | server::mode_write);
  const auto chunk = bytes_of(argv[3]);
  if (position == 1) {
    if (const char* why = key.why_taken()) return refuse(ctx, why);
    if (chunk.size() != cuckoo::header_bytes) return refuse(ctx, "Invalid header");
    const memory_scope scope(server_memory);
    auto made = cuckoo::from_header(chunk, max_bytes(ctx));
    if (!made) return refuse(ctx, "Couldn't create filter!", made.error());
    if (key.put(*std::move(made)) == nullptr)
      return refuse(ctx, "Couldn't create filter!");
  } else {
    if (const char* why = key.why_none()) return refuse(ctx, why);
    if (chunk.empty() || static_cast<std::uint64_t>(position) - 1 < chunk.size())
      return refuse(ctx, "Couldn't load chunk!");
    const std::uint64_t offset = static_cast<std::uint64_t>(position) - 1 - chunk.size();
    if (const auto in = key.filter()->load(offset, chunk); !in)
      return refuse(ctx, "Couldn't load chunk!", in.error());
  }
  server::ReplicateVerbatim(ctx);
  changed(ctx, argv[1], "cuckoo.load");
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

}  // namespace bloomery::redis
