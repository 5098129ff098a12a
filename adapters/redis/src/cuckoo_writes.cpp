// CF.RESERVE, CF.ADD, CF.ADDNX, CF.INSERT, CF.INSERTNX, CF.DEL, CF.COMPACT.
//
// Replicas and the append-only file are told as those of BF (bloom_writes.cpp): an
// insertion that was refused has changed nothing, so that leaving it out gives the same
// slots.
#include <algorithm>
#include <cctype>
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
  long long capacity = current.cf_initial_size;
  long long slots = current.cf_bucket_size;
  long long kicks = current.cf_max_iterations;
  long long expansion = current.cf_expansion;
  bool is_allowed = true;
};

result<cuckoo> make(server::context* ctx, const creation& c) noexcept {
  const memory_scope scope(server_memory);
  return cuckoo::make({.keys = static_cast<std::uint64_t>(c.capacity),
                       .slots = static_cast<std::uint16_t>(c.slots),
                       .kicks = static_cast<std::uint16_t>(c.kicks),
                       .growth = static_cast<std::uint16_t>(c.expansion),
                       .max_bytes = max_bytes(ctx)});
}

void tell_created(server::context* ctx, server::string* key, const creation& c) noexcept {
  server::Replicate(ctx, "CF.RESERVE", "slclclcl", key, c.capacity, "BUCKETSIZE", c.slots,
                    "MAXITERATIONS", c.kicks, "EXPANSION", c.expansion);
}

enum class replies { one, many, many_numbers };  // numbers in RESP3, too

struct insertion {
  bool unless_present;
  replies form;
};

void reply_refused(server::context* ctx, const error& why, replies form) noexcept {
  if (why.code != errc::full)
    refuse(ctx, "Memory allocation failure", why);
  else if (form == replies::one)
    server::ReplyWithError(ctx, "Filter is full");
  else if (form == replies::many && is_resp3(ctx))
    reply_bool(ctx, false);
  else
    server::ReplyWithLongLong(ctx, -1);
}

int insert(server::context* ctx, server::string* name, std::span<server::string*> items,
           const creation& c, insertion how) noexcept {
  open_key<cuckoo> key(ctx, name, server::mode_read | server::mode_write);
  cuckoo* f = key.filter();
  const bool is_new = f == nullptr;
  if (is_new) {
    if (!key.is_missing()) return refuse(ctx, wrong_type);
    if (!c.is_allowed) return refuse(ctx, not_found);
    auto made = make(ctx, c);
    if (!made) return refuse(ctx, "Could not create filter", made.error());
    f = key.put(*std::move(made));
    if (f == nullptr) return refuse(ctx, "Could not create filter");
  }
  // A new one takes its first items whatever the limit: otherwise it would exist here,
  // and on no replica.
  if (!is_new && f->links() >= static_cast<std::size_t>(current.cf_max_expansions) &&
      !is_decided(ctx))
    return refuse(ctx, "Maximum expansions reached");

  const std::uint64_t most = max_bytes(ctx);
  added_items added(items.size());
  if (how.form != replies::one)
    server::ReplyWithArray(ctx, static_cast<long>(items.size()));
  const auto reply = [&](bool yes) {
    if (how.form == replies::many_numbers)
      reply_number(ctx, yes);
    else
      reply_bool(ctx, yes);
  };
  for (server::string* item : items) {
    const std::string_view text = text_of(item);
    if (how.unless_present && f->may_contain(text)) {
      reply(false);
    } else if (const auto in = f->try_insert(text, most); !in) {
      reply_refused(ctx, in.error(), how.form);
    } else {
      added.add(item);
      reply(true);
    }
  }
  if (is_new) tell_created(ctx, name, c);
  if (!is_new && how.form == replies::one && added.count() == items.size())
    server::ReplicateVerbatim(ctx);
  else if (added.count() != 0)
    server::Replicate(ctx, "CF.INSERT", "sccv", name, "NOCREATE", "ITEMS", added.list(),
                      added.count());
  if (is_new) changed(ctx, name, "cuckoo.reserve");
  if (added.count() != 0) changed(ctx, name, "cuckoo.add");
  return server::ok;
}

// An option with a value among the words after the capacity.
struct option {
  const char* word;
  long long creation::*value;
  long long low, high;
  const char* not_a_number;
  const char* not_positive;
};
constexpr option options[] = {
    {"MAXITERATIONS", &creation::kicks, 1, 65535, "Couldn't parse MAXITERATIONS",
     "MAXITERATIONS parameter needs to be a positive integer"},
    {"BUCKETSIZE", &creation::slots, 1, 255, "Couldn't parse BUCKETSIZE",
     "BUCKETSIZE parameter needs to be a positive integer"},
    {"EXPANSION", &creation::expansion, 0, max_expansion, "Couldn't parse EXPANSION",
     "EXPANSION parameter needs to be a non-negative integer"},
};

// Null, or what is wrong.
const char* read(const option& o, const server::string* text, creation& c) noexcept {
  long long v;
  if (server::StringToLongLong(text, &v) != server::ok) return o.not_a_number;
  if (v < o.low) return o.not_positive;
  if (v > o.high) return "ERR an option of CF.RESERVE is out of its range";
  c.*o.value = v;
  return nullptr;
}

constexpr const char* too_few = "Capacity must be at least (BucketSize * 2)";

int insert_many(server::context* ctx, server::string** argv, int argc,
                insertion how) noexcept {
  if (argc < 4) return server::WrongArity(ctx);
  creation c;
  int at = 2;
  for (bool more = true; more;) {
    if (at == argc) return server::WrongArity(ctx);
    const std::string_view word = text_of(argv[at++]);
    // RedisBloom looks at the first letter; strictly, words are whole.
    const auto is = [&](std::string_view whole) {
      if (current.strict != 0) return is_word(word, whole);
      return !word.empty() &&
             std::toupper(static_cast<unsigned char>(word.front())) == whole.front();
    };
    if (is("ITEMS")) {
      more = false;
    } else if (is("NOCREATE")) {
      c.is_allowed = false;
    } else if (is("CAPACITY")) {
      if (at == argc) return server::WrongArity(ctx);
      if (server::StringToLongLong(argv[at++], &c.capacity) != server::ok ||
          c.capacity > max_keys)
        return refuse(ctx, "Bad capacity");
      if (2 * c.slots > c.capacity) return refuse(ctx, too_few);
    } else {
      return refuse(ctx, "Unknown argument received");
    }
  }
  if (at == argc) return server::WrongArity(ctx);
  return insert(ctx, argv[1], {argv + at, static_cast<std::size_t>(argc - at)}, c, how);
}

}  // namespace

// CF.RESERVE key capacity [BUCKETSIZE b] [MAXITERATIONS m] [EXPANSION x]
int cf_reserve(server::context* ctx, server::string** argv, int argc) {
  if (argc < 3 || argc % 2 == 0) return server::WrongArity(ctx);
  creation c;
  if (server::StringToLongLong(argv[2], &c.capacity) != server::ok ||
      c.capacity > max_keys)
    return refuse(ctx, "Bad capacity");
  for (const option& o : options)
    for (int i = 3; i + 1 < argc; ++i)
      if (is_word(text_of(argv[i]), o.word)) {
        if (const char* why = read(o, argv[i + 1], c)) return refuse(ctx, why);
        break;
      }
  if (current.strict != 0)
    for (int i = 3; i < argc; i += 2)
      if (std::none_of(std::begin(options), std::end(options), [&](const option& o) {
            return is_word(text_of(argv[i]), o.word);
          }))
        return refuse(ctx, "ERR unknown argument received");
  if (2 * c.slots > c.capacity) return refuse(ctx, too_few);
  open_key<cuckoo> key(ctx, argv[1], server::mode_read | server::mode_write);
  if (const char* why = key.why_taken()) return refuse(ctx, why);
  auto made = make(ctx, c);
  if (!made) return refuse(ctx, "Couldn't create Cuckoo Filter", made.error());
  if (key.put(*std::move(made)) == nullptr)
    return refuse(ctx, "Couldn't create Cuckoo Filter");
  tell_created(ctx, argv[1], c);
  changed(ctx, argv[1], "cuckoo.reserve");
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

int cf_add(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  return insert(ctx, argv[1], {argv + 2, 1}, {}, {false, replies::one});
}

int cf_addnx(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  return insert(ctx, argv[1], {argv + 2, 1}, {}, {true, replies::one});
}

int cf_insert(server::context* ctx, server::string** argv, int argc) {
  return insert_many(ctx, argv, argc, {false, replies::many});
}

int cf_insertnx(server::context* ctx, server::string** argv, int argc) {
  return insert_many(ctx, argv, argc, {true, replies::many_numbers});
}

int cf_del(server::context* ctx, server::string** argv, int argc) {
  if (argc != 3) return server::WrongArity(ctx);
  open_key<cuckoo> key(ctx, argv[1], server::mode_read | server::mode_write);
  cuckoo* f = key.filter();
  if (f == nullptr) return refuse(ctx, "Not found");
  const auto erased = f->erase_present(text_of(argv[2]));
  if (!erased && erased.error().code != errc::not_present)
    return refuse(ctx, "ERR nothing is deleted", erased.error());
  if (erased) {
    server::ReplicateVerbatim(ctx);
    changed(ctx, argv[1], "cuckoo.del");
  }
  reply_bool(ctx, erased.has_value());
  return server::ok;
}

int cf_compact(server::context* ctx, server::string** argv, int argc) {
  if (argc != 2) return server::WrongArity(ctx);
  open_key<cuckoo> key(ctx, argv[1], server::mode_read | server::mode_write);
  cuckoo* f = key.filter();
  if (f == nullptr) return refuse(ctx, "Cuckoo filter was not found");
  if (const auto done = f->compact(); !done)
    return refuse(ctx, "ERR nothing is moved", done.error());
  server::ReplicateVerbatim(ctx);
  changed(ctx, argv[1], "cuckoo.compact");
  server::ReplyWithSimpleString(ctx, "OK");
  return server::ok;
}

}  // namespace bloomery::redis
