// The module interface of Redis and Valkey: types, numbers and calls as their documents
// give them, no header of theirs.  tests/engines/redis/binding_test.cpp holds every line
// against the header of Debian's redis source package, where it can be had.
//
// The server hands over a function that finds its calls by name.  Calls that a server
// lacks stay null: those marked OPTIONAL are tested before use.
#pragma once

#include <cstddef>
#include <cstdint>

// The server's own, never looked into.
struct RedisModuleCtx;
struct RedisModuleString;
struct RedisModuleKey;
struct RedisModuleType;
struct RedisModuleIO;
struct RedisModuleDigest;
struct RedisModuleDefragCtx;
struct RedisModuleInfoCtx;
struct RedisModuleCommand;

namespace bloomery::redis::server {

using context = ::RedisModuleCtx;
using string = ::RedisModuleString;
using key = ::RedisModuleKey;
using type = ::RedisModuleType;
using io = ::RedisModuleIO;
using digest = ::RedisModuleDigest;
using defrag_context = ::RedisModuleDefragCtx;
using info_context = ::RedisModuleInfoCtx;
using command = ::RedisModuleCommand;

// --- numbers ---
inline constexpr int ok = 0, failed = 1;
inline constexpr int api_version = 1;
inline constexpr int mode_read = 1, mode_write = 2;
inline constexpr int key_is_empty = 0, key_is_of_module = 6;
inline constexpr long length_follows = -1;
inline constexpr int is_loading = 1 << 13, is_replicated = 1 << 12, is_resp3 = 1 << 22;
inline constexpr int notify_generic = 1 << 2;
inline constexpr int handle_io_errors = 1, signal_keys_by_hand = 1 << 1,
                     handle_async_load = 1 << 2;

// --- functions that the server calls ---
using command_call = int (*)(context* ctx, string** argv, int argc);
using info_call = void (*)(info_context* ctx, int for_crash_report);

// As of version 3, which Redis 6.2 reads; later servers do too.
struct type_methods {
  std::uint64_t version;
  void* (*rdb_load)(io* rdb, int encoding);
  void (*rdb_save)(io* rdb, void* value);
  void (*aof_rewrite)(io* aof, string* key, void* value);
  std::size_t (*mem_usage)(const void* value);
  void (*digest)(server::digest* to, void* value);
  void (*free)(void* value);
  int (*aux_load)(io* rdb, int encoding, int when);
  void (*aux_save)(io* rdb, int when);
  int aux_save_triggers;
  std::size_t (*free_effort)(string* key, const void* value);
  void (*unlink)(string* key, const void* value);
  void* (*copy)(string* from, string* to, const void* value);
  int (*defrag)(defrag_context* ctx, string* key, void** value);
};
inline constexpr std::uint64_t type_methods_version = 3;

// --- what COMMAND DOCS says of a command (Redis 7.0) ---
enum class argument_type : int {
  text,
  integer,
  real,
  key_name,
  pattern,
  unix_time,
  token,
  one_of,
  block
};
inline constexpr int argument_is_optional = 1, argument_repeats = 2;

struct command_argument {
  const char* name;
  argument_type type;
  int key_spec;  // -1: no key
  const char* token;
  const char* summary;
  const char* since;
  int flags;
  const char* deprecated_since;
  command_argument* parts;
};
struct command_history {
  const char* since;
  const char* changes;
};
struct command_key_spec {  // none is given: only its size counts
  const char* notes;
  std::uint64_t flags;
  int begin;
  struct {
    const char* keyword;
    int from;
  } search;
  int find;
  int range[3];
};
struct command_info_version {
  int version;
  std::size_t history_size, key_spec_size, argument_size;
};
struct command_info {
  const command_info_version* version;
  const char* summary;
  const char* complexity;
  const char* since;
  command_history* history;
  const char* tips;
  int arity;
  command_key_spec* key_specs;
  command_argument* args;
};

// --- configuration (Redis 7.0) ---
using get_text = string* (*)(const char* name, void* data);
using set_text = int (*)(const char* name, string* value, void* data, string** error);
using get_number = long long (*)(const char* name, void* data);
using set_number = int (*)(const char* name, long long value, void* data, string** error);
using apply = int (*)(context* ctx, void* data, string** error);

// X(name, result, parameters)
#define BLOOMERY_REDIS_CALLS(X)                                         \
  X(Alloc, void*, (std::size_t))                                        \
  X(Free, void, (void*))                                                \
  X(SetModuleAttribs, void, (context*, const char*, int, int))          \
  X(SetModuleOptions, void, (context*, int))                            \
  X(IsModuleNameBusy, int, (const char*))                               \
  X(CreateCommand, int,                                                 \
    (context*, const char*, command_call, const char*, int, int, int))  \
  X(CreateDataType, type*, (context*, const char*, int, type_methods*)) \
  X(GetContextFlags, int, (context*))                                   \
  X(Log, void, (context*, const char*, const char*, ...))               \
  X(LogIOError, void, (io*, const char*, const char*, ...))             \
  X(OpenKey, key*, (context*, string*, int))                            \
  X(CloseKey, void, (key*))                                             \
  X(KeyType, int, (key*))                                               \
  X(ModuleTypeGetType, type*, (key*))                                   \
  X(ModuleTypeGetValue, void*, (key*))                                  \
  X(ModuleTypeSetValue, int, (key*, type*, void*))                      \
  X(SignalModifiedKey, int, (context*, string*))                        \
  X(NotifyKeyspaceEvent, int, (context*, int, const char*, string*))    \
  X(StringPtrLen, const char*, (const string*, std::size_t*))           \
  X(StringToLongLong, int, (const string*, long long*))                 \
  X(StringToDouble, int, (const string*, double*))                      \
  X(CreateString, string*, (context*, const char*, std::size_t))        \
  X(FreeString, void, (context*, string*))                              \
  X(WrongArity, int, (context*))                                        \
  X(ReplyWithLongLong, int, (context*, long long))                      \
  X(ReplyWithError, int, (context*, const char*))                       \
  X(ReplyWithSimpleString, int, (context*, const char*))                \
  X(ReplyWithStringBuffer, int, (context*, const char*, std::size_t))   \
  X(ReplyWithNull, int, (context*))                                     \
  X(ReplyWithArray, int, (context*, long))                              \
  X(ReplySetArrayLength, void, (context*, long))                        \
  X(Replicate, int, (context*, const char*, const char*, ...))          \
  X(ReplicateVerbatim, int, (context*))                                 \
  X(EmitAOF, void, (io*, const char*, const char*, ...))                \
  X(SaveUnsigned, void, (io*, std::uint64_t))                           \
  X(LoadUnsigned, std::uint64_t, (io*))                                 \
  X(SaveStringBuffer, void, (io*, const char*, std::size_t))            \
  X(LoadStringBuffer, char*, (io*, std::size_t*))                       \
  X(IsIOError, int, (io*))                                              \
  X(DigestAddStringBuffer, void, (digest*, const char*, std::size_t))   \
  X(DigestAddLongLong, void, (digest*, long long))                      \
  X(DigestEndSequence, void, (digest*))

#define BLOOMERY_REDIS_OPTIONAL_CALLS(X)                                              \
  X(TryAlloc, void*, (std::size_t))                                                   \
  X(ReplyWithBool, int, (context*, int))                                              \
  X(ReplyWithMap, int, (context*, long))                                              \
  X(GetCommand, command*, (context*, const char*))                                    \
  X(SetCommandInfo, int, (command*, const command_info*))                             \
  X(RegisterInfoFunc, int, (context*, info_call))                                     \
  X(InfoAddSection, int, (info_context*, const char*))                                \
  X(InfoAddFieldULongLong, int, (info_context*, const char*, unsigned long long))     \
  X(DefragAlloc, void*, (defrag_context*, void*))                                     \
  X(DefragShouldStop, int, (defrag_context*))                                         \
  X(DefragCursorSet, int, (defrag_context*, unsigned long))                           \
  X(DefragCursorGet, int, (defrag_context*, unsigned long*))                          \
  X(RegisterStringConfig, int,                                                        \
    (context*, const char*, const char*, unsigned, get_text, set_text, apply, void*)) \
  X(RegisterNumericConfig, int,                                                       \
    (context*, const char*, long long, unsigned, long long, long long, get_number,    \
     set_number, apply, void*))                                                       \
  X(LoadConfigs, int, (context*))

// Later than Redis 7.0, whose header the others are held against.
#define BLOOMERY_REDIS_LATER_CALLS(X)             \
  X(AddACLCategory, int, (context*, const char*)) \
  X(SetCommandACLCategories, int, (command*, const char*))

#define BLOOMERY_REDIS_DECLARE(name, result, parameters) extern result(*name) parameters;
BLOOMERY_REDIS_CALLS(BLOOMERY_REDIS_DECLARE)
BLOOMERY_REDIS_OPTIONAL_CALLS(BLOOMERY_REDIS_DECLARE)
BLOOMERY_REDIS_LATER_CALLS(BLOOMERY_REDIS_DECLARE)
#undef BLOOMERY_REDIS_DECLARE

// Finds the calls.  Null, or the name of a call that this server lacks and we need.
const char* find_calls(context* ctx) noexcept;

}  // namespace bloomery::redis::server
