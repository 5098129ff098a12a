// Names, flags, ACL categories and documents of the commands.
#include "commands.hpp"

#include <cstdio>

namespace bloomery::redis {
namespace {

using server::command_argument;
using kind = server::argument_type;

constexpr command_argument argument(const char* name, kind type, int flags = 0,
                                    const char* token = nullptr) {
  return {name,  type,    type == kind::key_name ? 0 : -1,
          token, nullptr, nullptr,
          flags, nullptr, nullptr};
}
constexpr command_argument key = argument("key", kind::key_name);
constexpr command_argument item = argument("item", kind::text);
constexpr command_argument items =
    argument("items", kind::text, server::argument_repeats);
constexpr command_argument end{};

command_argument of_reserve[] = {
    key,
    argument("error_rate", kind::real),
    argument("capacity", kind::integer),
    argument("expansion", kind::integer, server::argument_is_optional, "EXPANSION"),
    argument("nonscaling", kind::token, server::argument_is_optional, "NONSCALING"),
    end};
command_argument of_one[] = {key, item, end};
command_argument of_many[] = {key, items, end};
command_argument of_insert[] = {
    key,
    argument("capacity", kind::integer, server::argument_is_optional, "CAPACITY"),
    argument("error", kind::real, server::argument_is_optional, "ERROR"),
    argument("expansion", kind::integer, server::argument_is_optional, "EXPANSION"),
    argument("nocreate", kind::token, server::argument_is_optional, "NOCREATE"),
    argument("nonscaling", kind::token, server::argument_is_optional, "NONSCALING"),
    argument("items", kind::text, server::argument_repeats, "ITEMS"),
    end};
command_argument of_key[] = {key, end};
command_argument of_info[] = {
    key, argument("field", kind::text, server::argument_is_optional), end};
command_argument of_scandump[] = {key, argument("iterator", kind::integer), end};
command_argument of_loadchunk[] = {key, argument("iterator", kind::integer),
                                   argument("data", kind::text), end};

struct row {
  const char* name;
  server::command_call call;
  const char* flags;
  const char* categories;
  int arity;
  const char* summary;
  const char* complexity;
  command_argument* arguments;
};

constexpr const char* write = "write deny-oom";
constexpr const char* read = "readonly fast";
constexpr const char* write_categories = "bloom write";
constexpr const char* read_categories = "bloom read fast";
constexpr const char* per_item = "O(N * k), N items and k hashes";

const row rows[] = {
    {"BF.RESERVE", bf_reserve, write, write_categories, -4,
     "Creates an empty Bloom filter", "O(M), M bytes of the filter", of_reserve},
    {"BF.ADD", bf_add, write, write_categories, 3,
     "Adds an item to a Bloom filter, which is created if it is missing",
     "O(k), k hashes", of_one},
    {"BF.MADD", bf_madd, write, write_categories, -3,
     "Adds items to a Bloom filter, which is created if it is missing", per_item,
     of_many},
    {"BF.INSERT", bf_insert, write, write_categories, -4,
     "Adds items to a Bloom filter, which is created with these parameters if it is "
     "missing",
     per_item, of_insert},
    {"BF.EXISTS", bf_exists, read, read_categories, 3,
     "Whether an item is possibly in a Bloom filter", "O(k), k hashes", of_one},
    {"BF.MEXISTS", bf_mexists, read, read_categories, -3,
     "Which items are possibly in a Bloom filter", per_item, of_many},
    {"BF.INFO", bf_info, read, read_categories, -2, "Facts of a Bloom filter", "O(1)",
     of_info},
    {"BF.CARD", bf_card, read, read_categories, 2,
     "How many items were added to a Bloom filter and not found in it before", "O(1)",
     of_key},
    {"BF.DEBUG", bf_debug, read, read_categories, 2, "The links of a Bloom filter",
     "O(N), N links", of_key},
    {"BF.SCANDUMP", bf_scandump, read, read_categories, 3,
     "A piece of a Bloom filter and the iterator of the next", "O(M), M bytes",
     of_scandump},
    {"BF.LOADCHUNK", bf_loadchunk, write, write_categories, 4,
     "Loads a piece that BF.SCANDUMP returned", "O(M), M bytes", of_loadchunk},
};

constexpr server::command_info_version info_version{1, sizeof(server::command_history),
                                                    sizeof(server::command_key_spec),
                                                    sizeof(server::command_argument)};

// What a server without them does without.
void describe(server::context* ctx, const row& r) noexcept {
  if (server::GetCommand == nullptr) return;
  server::command* c = server::GetCommand(ctx, r.name);
  if (c == nullptr) return;
  if (server::SetCommandInfo != nullptr) {
    const server::command_info info{.version = &info_version,
                                    .summary = r.summary,
                                    .complexity = r.complexity,
                                    .since = "1.0.0",
                                    .history = nullptr,
                                    .tips = nullptr,
                                    .arity = r.arity,
                                    .key_specs = nullptr,
                                    .args = r.arguments};
    server::SetCommandInfo(c, &info);
  }
  if (server::SetCommandACLCategories != nullptr)
    server::SetCommandACLCategories(c, r.categories);
}

}  // namespace

bool register_commands(server::context* ctx) noexcept {
  // It fails where RedisBloom's own category of that name exists: that one will do.
  if (server::AddACLCategory != nullptr) server::AddACLCategory(ctx, "bloom");
  for (const row& r : rows) {
    if (server::CreateCommand(ctx, r.name, r.call, r.flags, 1, 1, 1) != server::ok) {
      server::Log(ctx, "warning",
                  "bloomery: the command %s exists already: another module of Bloom "
                  "filters is loaded",
                  r.name);
      return false;
    }
    describe(ctx, r);
  }
  return true;
}

}  // namespace bloomery::redis
