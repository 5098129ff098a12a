// CF.EXISTS, CF.MEXISTS, CF.COUNT, CF.INFO, CF.DEBUG.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "items.hpp"
#include "replies.hpp"
#include "value.hpp"

namespace bloomery::redis {

int cf_exists(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (key.is_wrong()) return refuse(ctx, wrong_type);
  const cuckoo* f = key.filter();
  reply_bool(ctx, f != nullptr && f->may_contain(text_of(argv[2])));
  return server::ok;
}

int cf_mexists(server::context* ctx, server::string** argv, int argc) {
  if (argc < 3) return server::WrongArity(ctx);
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (key.is_wrong()) return refuse(ctx, wrong_type);
  reply_found(ctx, key.filter(), {argv + 2, static_cast<std::size_t>(argc - 2)});
  return server::ok;
}

int cf_count(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (key.is_wrong()) return refuse(ctx, wrong_type);
  const cuckoo* f = key.filter();
  reply_number(ctx, f != nullptr ? f->count(text_of(argv[2])) : 0);
  return server::ok;
}

int cf_info(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2) return server::WrongArity(ctx);
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const cuckoo& f = *key.filter();
  const struct {
    const char* name;
    std::uint64_t value;
  } fields[] = {
      {"Size", 40 + 16 * f.links() + f.size_in_bytes()},  // RedisBloom's sum
      {"Number of buckets", f.buckets()},
      {"Number of filters", f.links()},
      {"Number of items inserted", f.keys()},
      {"Number of items deleted", f.erased()},
      {"Bucket size", f.slots()},
      {"Expansion rate", f.growth()},
      {"Max iterations", f.kicks()},
  };
  constexpr long count = sizeof fields / sizeof *fields;
  if (is_resp3(ctx))
    server::ReplyWithMap(ctx, count);
  else
    server::ReplyWithArray(ctx, 2 * count);
  for (const auto& one : fields) {
    server::ReplyWithSimpleString(ctx, one.name);
    reply_number(ctx, one.value);
  }
  return server::ok;
}

int cf_debug(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2) return server::WrongArity(ctx);
  const open_key<cuckoo> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const cuckoo& f = *key.filter();
  using number = unsigned long long;
  char text[256];
  const int n = std::snprintf(
      text, sizeof text,
      "bktsize:%u buckets:%llu items:%llu deletes:%llu filters:%llu max_iterations:%u "
      "expansion:%u",
      unsigned{f.slots()}, static_cast<number>(f.buckets()),
      static_cast<number>(f.keys()), static_cast<number>(f.erased()),
      static_cast<number>(f.links()), unsigned{f.kicks()}, unsigned{f.growth()});
  server::ReplyWithStringBuffer(ctx, text, static_cast<std::size_t>(n));
  return server::ok;
}

}  // namespace bloomery::redis
