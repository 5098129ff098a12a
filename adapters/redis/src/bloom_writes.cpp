// BF.RESERVE, BF.ADD, BF.MADD, BF.INSERT.
//
// What replicas and the append-only file are told does not depend on their settings: a
// filter is created with all its parameters, and only keys that were added follow.  A
// command that changed nothing is not told at all.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>
#include <string_view>

#include "commands.hpp"
#include "items.hpp"
#include "replies.hpp"
#include "settings.hpp"
#include "value.hpp"

namespace bloomery::redis {
namespace {

struct creation {
  double rate = current.error_rate;
  long long capacity = current.initial_size;
  long long expansion = current.expansion;
  bool grows = current.expansion != 0;
  bool is_allowed = true;
};

result<chain> make(server::context* ctx, const creation& c) noexcept {
  const memory_scope scope(server_memory);
  // RedisBloom writes 2 into the header of a filter that does not grow.
  return chain::make({.keys = static_cast<std::uint64_t>(c.capacity),
                      .fpr = c.rate,
                      .growth = c.grows ? static_cast<std::uint32_t>(c.expansion) : 2,
                      .grows = c.grows,
                      .max_bytes = max_bytes(ctx)});
}

constexpr const char* not_created = "ERR could not create filter";

// --- one item or many ---

void tell(server::context* ctx, server::string* key, const creation* made,
          server::string** items, std::size_t count) noexcept {
  if (made == nullptr) {
    server::Replicate(ctx, "BF.INSERT", "sccv", key, "NOCREATE", "ITEMS", items, count);
    return;
  }
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.17g", made->rate);
  if (count == 0 && made->grows)  // created, and then there was no memory for the item
    server::Replicate(ctx, "BF.RESERVE", "sclcl", key, rate, made->capacity, "EXPANSION",
                      made->expansion);
  else if (count == 0)
    server::Replicate(ctx, "BF.RESERVE", "sclc", key, rate, made->capacity, "NONSCALING");
  else if (made->grows)
    server::Replicate(ctx, "BF.INSERT", "sclccclcv", key, "CAPACITY", made->capacity,
                      "ERROR", rate, "EXPANSION", made->expansion, "ITEMS", items, count);
  else
    server::Replicate(ctx, "BF.INSERT", "sclccccv", key, "CAPACITY", made->capacity,
                      "ERROR", rate, "NONSCALING", "ITEMS", items, count);
}

// RedisBloom's words for a key that is not taken, and the reason where it has no word.
void reply_refused(server::context* ctx, const error& why) noexcept {
  if (why.code == errc::full)
    server::ReplyWithError(ctx, "ERR non scaling filter is full");
  else
    refuse(ctx, "ERR problem inserting into filter", why);
}

// `is_plain`: a command of a key and items alone.  Only such a one is told as it is:
// what others say besides depends on settings, even where the key exists.
int insert(server::context* ctx, server::string* name, std::span<server::string*> items,
           const creation& c, bool as_array, bool is_plain) noexcept {
  open_key<chain> key(ctx, name, server::mode_read | server::mode_write);
  chain* f = key.filter();
  const bool is_new = f == nullptr;
  if (is_new) {
    if (!key.is_missing()) return refuse(ctx, wrong_type);
    if (!c.is_allowed) return refuse(ctx, not_found);
    auto made = make(ctx, c);
    if (!made) return refuse(ctx, not_created, made.error());
    f = key.put(*std::move(made));
    if (f == nullptr) return refuse(ctx, not_created);
  }
  const std::uint64_t most = max_bytes(ctx);
  if (items.size() == 1) {
    if (as_array) server::ReplyWithArray(ctx, 1);
    const auto absent = f->insert_if_absent(text_of(items[0]), most);
    if (!absent)
      reply_refused(ctx, absent.error());
    else
      reply_bool(ctx, *absent);
    const bool is_added = absent && *absent;
    if (!is_new && !is_added) return server::ok;
    if (!is_new && is_plain)
      server::ReplicateVerbatim(ctx);
    else
      tell(ctx, name, is_new ? &c : nullptr, items.data(), is_added ? 1 : 0);
    if (is_new) changed(ctx, name, "bloom.reserve");
    if (is_added) changed(ctx, name, "bloom.add");
    return server::ok;
  }

  added_items added(items.size());
  long replies = 0;
  server::ReplyWithArray(ctx, server::length_follows);
  std::string_view views[item_group];
  bool absent[item_group];
  for (std::size_t at = 0; at < items.size();) {
    const std::size_t n = std::min(item_group, items.size() - at);
    for (std::size_t i = 0; i < n; ++i) views[i] = text_of(items[at + i]);
    const auto done = f->insert_if_absent({views, n}, {absent, n}, most);
    for (std::size_t i = 0; i < done.keys; ++i) {
      reply_bool(ctx, absent[i]);
      if (absent[i]) added.add(items[at + i]);
    }
    replies += static_cast<long>(done.keys);
    at += done.keys;
    if (done.refused) {  // later items are not tried
      reply_refused(ctx, *done.refused);
      ++replies;
      break;
    }
  }
  server::ReplySetArrayLength(ctx, replies);
  if (added.count() == 0 && !is_new) return server::ok;
  if (!is_new && is_plain && added.count() == items.size())
    server::ReplicateVerbatim(ctx);
  else
    tell(ctx, name, is_new ? &c : nullptr, added.list(), added.count());
  if (is_new) changed(ctx, name, "bloom.reserve");
  if (added.count() != 0) changed(ctx, name, "bloom.add");
  return server::ok;
}

bool begins(std::string_view text, std::size_t at, char c) noexcept {
  return at < text.size() && std::tolower(static_cast<unsigned char>(text[at])) == c;
}

enum class option { items, rate, expansion, capacity, no_create, no_scaling, unknown };

// RedisBloom looks at the first letter, or two; strictly, words are whole.
option option_of(std::string_view word) noexcept {
  if (current.strict != 0) {
    if (is_word(word, "ITEMS")) return option::items;
    if (is_word(word, "ERROR")) return option::rate;
    if (is_word(word, "EXPANSION")) return option::expansion;
    if (is_word(word, "CAPACITY")) return option::capacity;
    if (is_word(word, "NOCREATE")) return option::no_create;
    if (is_word(word, "NONSCALING")) return option::no_scaling;
    return option::unknown;
  }
  if (begins(word, 0, 'i')) return option::items;
  if (begins(word, 0, 'e'))
    return begins(word, 1, 'r') ? option::rate : option::expansion;
  if (begins(word, 0, 'c')) return option::capacity;
  if (begins(word, 0, 'n'))
    return begins(word, 2, 'c') ? option::no_create : option::no_scaling;
  return option::unknown;
}

}  // namespace

// BF.RESERVE key error_rate capacity [EXPANSION n] [NONSCALING]
int bf_reserve(server::context* ctx, server::string** argv, int argc) {
  if (argc < 4 || argc > 7) return server::WrongArity(ctx);
  creation c;
  if (server::StringToDouble(argv[2], &c.rate) != server::ok)
    return refuse(ctx, "ERR bad error rate");
  if (!(c.rate > 0 && c.rate < 1)) return refuse(ctx, "ERR (0 < error rate range < 1) ");
  if (server::StringToLongLong(argv[3], &c.capacity) != server::ok)
    return refuse(ctx, "ERR bad capacity");
  if (c.capacity <= 0) return refuse(ctx, "ERR (capacity should be larger than 0)");
  if (c.capacity > max_keys) return refuse(ctx, "ERR bad capacity: at most 1073741824");
  int no_scaling = 0, expansion = 0;
  for (int i = 4; i < argc; ++i) {
    const std::string_view word = text_of(argv[i]);
    if (is_word(word, "NONSCALING") && no_scaling == 0) {
      no_scaling = i;
    } else if (is_word(word, "EXPANSION") && expansion == 0) {
      expansion = i;
      if (current.strict != 0) ++i;  // its value
    } else if (current.strict != 0) {
      return refuse(ctx, "ERR unknown argument received");
    }
  }
  if (expansion != 0) {
    if (expansion + 1 == argc) return refuse(ctx, "ERR no expansion");
    if (no_scaling != 0) return refuse(ctx, "Nonscaling filters cannot expand");
    if (server::StringToLongLong(argv[expansion + 1], &c.expansion) != server::ok ||
        !is_in(c.expansion, 0, max_expansion))
      return refuse(ctx, "ERR bad expansion");
    c.grows = c.expansion != 0;
  }
  if (no_scaling != 0) c.grows = false;

  open_key<chain> key(ctx, argv[1], server::mode_read | server::mode_write);
  if (const char* why = key.why_taken()) return refuse(ctx, why);
  auto made = make(ctx, c);
  if (!made) return refuse(ctx, not_created, made.error());
  if (key.put(*std::move(made)) == nullptr) return refuse(ctx, not_created);
  if (c.grows)
    server::Replicate(ctx, "BF.RESERVE", "sslcl", argv[1], argv[2], c.capacity,
                      "EXPANSION", c.expansion);
  else
    server::Replicate(ctx, "BF.RESERVE", "sslc", argv[1], argv[2], c.capacity,
                      "NONSCALING");
  changed(ctx, argv[1], "bloom.reserve");
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

int bf_add(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  return insert(ctx, argv[1], {argv + 2, 1}, {}, false, true);
}

int bf_madd(server::context* ctx, server::string** argv, int argc) {
  if (argc < 3) return server::WrongArity(ctx);
  return insert(ctx, argv[1], {argv + 2, static_cast<std::size_t>(argc - 2)}, {}, true,
                true);
}

// BF.INSERT key [CAPACITY c] [ERROR e] [EXPANSION x] [NOCREATE] [NONSCALING] ITEMS item
// ...
int bf_insert(server::context* ctx, server::string** argv, int argc) {
  if (argc < 4) return server::WrongArity(ctx);
  creation c;
  bool has_size = false, no_scaling = false;
  int at = 2;
  for (bool more = true; more && at < argc;) {
    const option o = option_of(text_of(argv[at++]));
    const bool has_value =
        o == option::rate || o == option::expansion || o == option::capacity;
    if (has_value && at == argc) return server::WrongArity(ctx);
    switch (o) {
      case option::items:
        more = false;
        break;
      case option::rate:
        if (server::StringToDouble(argv[at++], &c.rate) != server::ok)
          return refuse(ctx, "Bad error rate");
        has_size = true;
        break;
      case option::expansion:
        if (server::StringToLongLong(argv[at++], &c.expansion) != server::ok)
          return refuse(ctx, "Bad expansion");
        c.grows = c.expansion != 0;  // whatever the setting
        break;
      case option::capacity:
        if (server::StringToLongLong(argv[at++], &c.capacity) != server::ok)
          return refuse(ctx, "Bad capacity");
        has_size = true;
        break;
      case option::no_create:
        c.is_allowed = false;
        break;
      case option::no_scaling:
        no_scaling = true;
        break;
      case option::unknown:
        return refuse(ctx, "Unknown argument received");
    }
    if (at == argc) return server::WrongArity(ctx);  // no items
  }
  if (no_scaling) c.grows = false;
  if (!(c.rate > 0 && c.rate < 1) || !is_in(c.capacity, 1, max_keys) ||
      !is_in(c.expansion, 0, max_expansion))
    return refuse(ctx, "Bad argument received");
  if (current.strict != 0 && !c.is_allowed && has_size)
    return refuse(ctx, "ERR NOCREATE cannot be used with CAPACITY or ERROR");
  return insert(ctx, argv[1], {argv + at, static_cast<std::size_t>(argc - at)}, c, true,
                false);
}

}  // namespace bloomery::redis
