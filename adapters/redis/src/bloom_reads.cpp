// BF.EXISTS, BF.MEXISTS, BF.INFO, BF.CARD, BF.DEBUG.
#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "items.hpp"
#include "replies.hpp"
#include "value.hpp"

namespace bloomery::redis {
namespace {

// The sum that RedisBloom gives: its own structures and the bits.
std::uint64_t size_of(const chain& f) noexcept {
  return 32 + 64 * f.links() + f.size_in_bytes();
}

struct field {
  const char* word;
  const char* name;
  std::uint64_t (*value)(const chain& f) noexcept;
};
constexpr field fields[] = {
    {"CAPACITY", "Capacity", [](const chain& f) noexcept { return f.capacity(); }},
    {"SIZE", "Size", size_of},
    {"FILTERS", "Number of filters",
     [](const chain& f) noexcept -> std::uint64_t { return f.links(); }},
    {"ITEMS", "Number of items inserted",
     [](const chain& f) noexcept { return f.keys(); }},
    {"EXPANSION", "Expansion rate", nullptr},
};

void reply_value(server::context* ctx, const field& which, const chain& f) noexcept {
  if (which.value != nullptr)
    reply_number(ctx, which.value(f));
  else if (f.grows())
    reply_number(ctx, f.growth());
  else
    server::ReplyWithNull(ctx);
}

}  // namespace

int bf_exists(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (key.is_wrong()) return refuse(ctx, wrong_type);
  const chain* f = key.filter();
  reply_bool(ctx, f != nullptr && f->may_contain(text_of(argv[2])));
  return server::ok;
}

int bf_mexists(server::context* ctx, server::string** argv, int argc) {
  if (argc < 3) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (key.is_wrong()) return refuse(ctx, wrong_type);
  reply_found(ctx, key.filter(), {argv + 2, static_cast<std::size_t>(argc - 2)});
  return server::ok;
}

int bf_card(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (key.is_missing()) return reply_number(ctx, 0), server::ok;
  const chain* f = key.filter();
  if (f == nullptr) return refuse(ctx, wrong_type);
  return reply_number(ctx, f->keys()), server::ok;
}

// One field is an array of one value in RESP2, and a map of one entry in RESP3.
int bf_info(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2 && argc != 3) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const chain& f = *key.filter();
  const bool maps = is_resp3(ctx);
  if (argc == 3) {
    for (const field& one : fields) {
      if (!is_word(text_of(argv[2]), one.word)) continue;
      if (maps) {
        server::ReplyWithMap(ctx, 1);
        server::ReplyWithSimpleString(ctx, one.name);
      } else {
        server::ReplyWithArray(ctx, 1);
      }
      reply_value(ctx, one, f);
      return server::ok;
    }
    return refuse(ctx, "Invalid information value");
  }
  constexpr long count = sizeof fields / sizeof *fields;
  if (maps)
    server::ReplyWithMap(ctx, count);
  else
    server::ReplyWithArray(ctx, 2 * count);
  for (const field& one : fields) {
    server::ReplyWithSimpleString(ctx, one.name);
    reply_value(ctx, one, f);
  }
  return server::ok;
}

int bf_debug(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2) return server::WrongArity(ctx);
  const open_key<chain> key(ctx, argv[1], server::mode_read);
  if (const char* why = key.why_none()) return refuse(ctx, why);
  const chain& f = *key.filter();
  server::ReplyWithArray(ctx, static_cast<long>(1 + f.links()));
  char text[256];
  const auto reply = [&](int n) {
    server::ReplyWithStringBuffer(ctx, text, static_cast<std::size_t>(n));
  };
  using number = unsigned long long;
  reply(std::snprintf(text, sizeof text, "size:%llu", static_cast<number>(f.keys())));
  for (std::size_t i = 0; i < f.links(); ++i) {
    const auto l = f.link(i);
    reply(std::snprintf(text, sizeof text,
                        "bytes:%llu bits:%llu hashes:%u hashwidth:%u capacity:%llu "
                        "size:%llu ratio:%g",
                        static_cast<number>(l.bytes), static_cast<number>(l.bits),
                        l.hashes, f.hash_bits(), static_cast<number>(l.capacity),
                        static_cast<number>(l.keys), l.fpr));
  }
  return server::ok;
}

}  // namespace bloomery::redis
