// Names, flags, ACL categories and documents of the commands.
#include "commands.hpp"

#include <initializer_list>

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

command_argument of_cuckoo[] = {
    key,
    argument("capacity", kind::integer),
    argument("bucketsize", kind::integer, server::argument_is_optional, "BUCKETSIZE"),
    argument("maxiterations", kind::integer, server::argument_is_optional,
             "MAXITERATIONS"),
    argument("expansion", kind::integer, server::argument_is_optional, "EXPANSION"),
    end};
command_argument of_cuckoo_insert[] = {
    key, argument("capacity", kind::integer, server::argument_is_optional, "CAPACITY"),
    argument("nocreate", kind::token, server::argument_is_optional, "NOCREATE"),
    argument("items", kind::text, server::argument_repeats, "ITEMS"), end};

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
constexpr const char* cuckoo_write_categories = "cuckoo write";
constexpr const char* cuckoo_read_categories = "cuckoo read fast";
constexpr const char* per_filter = "O(F), F sub-filters";
constexpr const char* per_filter_and_item = "O(N * F), N items and F sub-filters";
constexpr const char* per_item = "O(N * k), N items and k hashes";

const row rows[] = {
    {"bf.reserve", bf_reserve, write, write_categories, -4,
     "Creates an empty Bloom filter", "O(M), M bytes of the filter", of_reserve},
    {"bf.add", bf_add, write, write_categories, 3,
     "Adds an item to a Bloom filter, which is created if it is missing",
     "O(k), k hashes", of_one},
    {"bf.madd", bf_madd, write, write_categories, -3,
     "Adds items to a Bloom filter, which is created if it is missing", per_item,
     of_many},
    {"bf.insert", bf_insert, write, write_categories, -4,
     "Adds items to a Bloom filter, which is created with these parameters if it is "
     "missing",
     per_item, of_insert},
    {"bf.exists", bf_exists, read, read_categories, 3,
     "Whether an item is possibly in a Bloom filter", "O(k), k hashes", of_one},
    {"bf.mexists", bf_mexists, read, read_categories, -3,
     "Which items are possibly in a Bloom filter", per_item, of_many},
    {"bf.info", bf_info, read, read_categories, -2, "Facts of a Bloom filter", "O(1)",
     of_info},
    {"bf.card", bf_card, read, read_categories, 2,
     "How many items were added to a Bloom filter and not found in it before", "O(1)",
     of_key},
    {"bf.debug", bf_debug, read, read_categories, 2, "The links of a Bloom filter",
     "O(N), N links", of_key},
    {"bf.scandump", bf_scandump, read, read_categories, 3,
     "A piece of a Bloom filter and the iterator of the next", "O(M), M bytes",
     of_scandump},
    {"bf.loadchunk", bf_loadchunk, write, write_categories, 4,
     "Loads a piece that BF.SCANDUMP returned", "O(M), M bytes", of_loadchunk},
    {"cf.reserve", cf_reserve, write, cuckoo_write_categories, -3,
     "Creates an empty cuckoo filter", "O(M), M bytes of the filter", of_cuckoo},
    {"cf.add", cf_add, write, cuckoo_write_categories, 3,
     "Adds an item to a cuckoo filter, which is created if it is missing", per_filter,
     of_one},
    {"cf.addnx", cf_addnx, write, cuckoo_write_categories, 3,
     "Adds an item to a cuckoo filter unless it is possibly there", per_filter, of_one},
    {"cf.insert", cf_insert, write, cuckoo_write_categories, -4,
     "Adds items to a cuckoo filter, which is created with this capacity if it is "
     "missing",
     per_filter_and_item, of_cuckoo_insert},
    {"cf.insertnx", cf_insertnx, write, cuckoo_write_categories, -4,
     "Adds those items to a cuckoo filter that are not possibly there",
     per_filter_and_item, of_cuckoo_insert},
    {"cf.exists", cf_exists, read, cuckoo_read_categories, 3,
     "Whether an item is possibly in a cuckoo filter", per_filter, of_one},
    {"cf.mexists", cf_mexists, read, cuckoo_read_categories, -3,
     "Which items are possibly in a cuckoo filter", per_filter_and_item, of_many},
    {"cf.count", cf_count, read, cuckoo_read_categories, 3,
     "How often an item is in a cuckoo filter, at most", per_filter, of_one},
    {"cf.del", cf_del, "write fast", "cuckoo write fast", 3,
     "Deletes one copy of an item from a cuckoo filter", per_filter, of_one},
    {"cf.info", cf_info, read, cuckoo_read_categories, 2, "Facts of a cuckoo filter",
     "O(1)", of_key},
    {"cf.debug", cf_debug, read, cuckoo_read_categories, 2, "Facts of a cuckoo filter",
     "O(1)", of_key},
    {"cf.scandump", cf_scandump, read, cuckoo_read_categories, 3,
     "A piece of a cuckoo filter and the position of the next", "O(M), M bytes",
     of_scandump},
    {"cf.loadchunk", cf_loadchunk, write, cuckoo_write_categories, 4,
     "Loads a piece that CF.SCANDUMP returned", "O(M), M bytes", of_loadchunk},
    {"cf.compact", cf_compact, "write", cuckoo_write_categories, 2,
     "Moves items to older sub-filters, and frees those that are empty then",
     "O(M), M bytes", of_key},
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
  // It fails where RedisBloom's own category of such a name exists: that one will do.
  if (server::AddACLCategory != nullptr)
    for (const char* name : {"bloom", "cuckoo"}) server::AddACLCategory(ctx, name);
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
