// BF.SCANDUMP and BF.LOADCHUNK: a filter in pieces, to and from RedisBloom.
#include "commands.hpp"
#include "dump_commands.hpp"

namespace bloomery::redis {
namespace {

const char* words_for(const error& e, const chain& f, std::uint64_t offset) noexcept {
  if (e.code != errc::invalid_argument) return "ERR not enough memory";
  if (offset >= f.size_in_bytes()) return "ERR invalid offset - no link found";
  if (offset > f.loaded_bytes())
    return "ERR invalid offset - chunks are loaded in order, and bytes before this one "
           "are missing";
  return "ERR invalid chunk - Too big for current filter";
}

// False: the reply says why.
bool load_header(server::context* ctx, open_key<chain>& key,
                 std::span<const std::byte> header) noexcept {
  constexpr const char* not_created = "ERR could not create filter";
  const memory_scope scope(server_memory);
  auto made = chain::from_header(header, max_bytes(ctx));
  if (!made && made.error().code == errc::corrupt)
    return refuse(ctx, "ERR received bad data"), false;
  if (!made) return refuse(ctx, not_created, made.error()), false;
  if (key.put(*std::move(made)) == nullptr) return refuse(ctx, not_created), false;
  return true;
}

}  // namespace

// BF.SCANDUMP key iterator
int bf_scandump(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const chain& f = *key.filter();
  long long iterator;
  if (server::StringToLongLong(argv[2], &iterator) != server::ok)
    return refuse(ctx, "Second argument must be numeric");
  if (!f.is_loaded()) return refuse(ctx, not_loaded);
  if (iterator == 0) return reply_header(ctx, f);
  const auto chunk = chunk_at(f, iterator);
  server::ReplyWithArray(ctx, 2);
  server::ReplyWithLongLong(
      ctx, chunk.empty() ? 0 : iterator + static_cast<long long>(chunk.size()));
  reply_bytes(ctx, chunk);
  return server::ok;
}

// BF.LOADCHUNK key iterator data
int bf_loadchunk(server::context* ctx, server::string** argv, int argc) {
  if (argc != 4) return server::WrongArity(ctx);
  long long iterator;
  if (server::StringToLongLong(argv[2], &iterator) != server::ok)
    return refuse(ctx, "ERR Second argument must be numeric");
  open_key<chain> key(ctx, argv[1], server::mode_read | server::mode_write);
  const auto chunk = bytes_of(argv[3]);
  if (key.is_missing() && iterator == 1) {
    if (!load_header(ctx, key, chunk)) return server::ok;
  } else {
    if (const char* why = key.why_none()) return refuse(ctx, why);
    chain& f = *key.filter();
    if (iterator <= 0 || chunk.empty() ||
        static_cast<std::uint64_t>(iterator) - 1 < chunk.size())
      return refuse(ctx, "ERR received bad data");
    const std::uint64_t offset = static_cast<std::uint64_t>(iterator) - 1 - chunk.size();
    if (const auto in = f.load(offset, chunk); !in)
      return refuse(ctx, words_for(in.error(), f, offset));
  }
  server::ReplicateVerbatim(ctx);
  changed(ctx, argv[1], "bloom.load");
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

}  // namespace bloomery::redis
