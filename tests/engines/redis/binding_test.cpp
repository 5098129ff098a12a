// Every type, number and call of binding.hpp against redismodule.h of Redis: compiled,
// never run (binding_test.sh).
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "redismodule.h"

#include "binding.hpp"

namespace bloomery::redis::server {
namespace {

// Calls have the same parameters and results.  Structures of ours have other names than
// theirs, and methods are given as `void*` to both: those are compared by their layout.
template <class T>
struct plain {
  using type = T;
};
template <>
struct plain<type_methods*> {
  using type = RedisModuleTypeMethods*;
};
template <>
struct plain<const command_info*> {
  using type = const RedisModuleCommandInfo*;
};
template <class R, class... A>
struct plain<R (*)(A...)> {
  using type = R (*)(typename plain<A>::type...);
};
template <class R, class... A>
struct plain<R (*)(A..., ...)> {
  using type = R (*)(A..., ...);
};

#define CHECK_CALL(name, result, parameters)                                     \
  static_assert(                                                                 \
      std::is_same_v<plain<decltype(name)>::type, decltype(RedisModule_##name)>, \
      "RedisModule_" #name " has other parameters");
BLOOMERY_REDIS_CALLS(CHECK_CALL)
#define CHECK_OPTIONAL(name, result, parameters) CHECK_CALL(name, result, parameters)
BLOOMERY_REDIS_OPTIONAL_CALLS(CHECK_OPTIONAL)

static_assert(ok == REDISMODULE_OK && failed == REDISMODULE_ERR);
static_assert(api_version == REDISMODULE_APIVER_1);
static_assert(mode_read == REDISMODULE_READ && mode_write == REDISMODULE_WRITE);
static_assert(key_is_empty == REDISMODULE_KEYTYPE_EMPTY);
static_assert(key_is_of_module == REDISMODULE_KEYTYPE_MODULE);
static_assert(length_follows == REDISMODULE_POSTPONED_LEN);
static_assert(is_loading == REDISMODULE_CTX_FLAGS_LOADING);
static_assert(is_replicated == REDISMODULE_CTX_FLAGS_REPLICATED);
static_assert(is_resp3 == REDISMODULE_CTX_FLAGS_RESP3);
static_assert(notify_generic == REDISMODULE_NOTIFY_GENERIC);
static_assert(handle_io_errors == REDISMODULE_OPTIONS_HANDLE_IO_ERRORS);
static_assert(signal_keys_by_hand == REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED);
static_assert(handle_async_load == REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD);

// Ours is version 3 of theirs: a beginning of it.
#define CHECK_METHOD(name)                                    \
  static_assert(offsetof(type_methods, name) ==               \
                    offsetof(RedisModuleTypeMethods, name) && \
                sizeof(type_methods::name) == sizeof(RedisModuleTypeMethods::name))
CHECK_METHOD(version);
CHECK_METHOD(rdb_load);
CHECK_METHOD(rdb_save);
CHECK_METHOD(aof_rewrite);
CHECK_METHOD(mem_usage);
CHECK_METHOD(digest);
CHECK_METHOD(free);
CHECK_METHOD(aux_load);
CHECK_METHOD(aux_save);
CHECK_METHOD(aux_save_triggers);
CHECK_METHOD(free_effort);
CHECK_METHOD(unlink);
CHECK_METHOD(copy);
CHECK_METHOD(defrag);
static_assert(type_methods_version <= REDISMODULE_TYPE_METHOD_VERSION);

#define CHECK_INFO(ours, theirs) \
  static_assert(offsetof(command_info, ours) == offsetof(RedisModuleCommandInfo, theirs))
CHECK_INFO(version, version);
CHECK_INFO(summary, summary);
CHECK_INFO(complexity, complexity);
CHECK_INFO(since, since);
CHECK_INFO(history, history);
CHECK_INFO(tips, tips);
CHECK_INFO(arity, arity);
CHECK_INFO(key_specs, key_specs);
CHECK_INFO(args, args);
static_assert(sizeof(command_info) == sizeof(RedisModuleCommandInfo));
static_assert(sizeof(command_info_version) == sizeof(RedisModuleCommandInfoVersion));
static_assert(sizeof(command_history) == sizeof(RedisModuleCommandHistoryEntry));
static_assert(sizeof(command_key_spec) == sizeof(RedisModuleCommandKeySpec));
static_assert(sizeof(command_argument) == sizeof(RedisModuleCommandArg));
#define CHECK_ARGUMENT(ours, theirs)                \
  static_assert(offsetof(command_argument, ours) == \
                offsetof(RedisModuleCommandArg, theirs))
CHECK_ARGUMENT(name, name);
CHECK_ARGUMENT(type, type);
CHECK_ARGUMENT(key_spec, key_spec_index);
CHECK_ARGUMENT(token, token);
CHECK_ARGUMENT(summary, summary);
CHECK_ARGUMENT(since, since);
CHECK_ARGUMENT(flags, flags);
CHECK_ARGUMENT(deprecated_since, deprecated_since);
CHECK_ARGUMENT(parts, subargs);
static_assert(int(argument_type::text) == REDISMODULE_ARG_TYPE_STRING);
static_assert(int(argument_type::integer) == REDISMODULE_ARG_TYPE_INTEGER);
static_assert(int(argument_type::real) == REDISMODULE_ARG_TYPE_DOUBLE);
static_assert(int(argument_type::key_name) == REDISMODULE_ARG_TYPE_KEY);
static_assert(int(argument_type::token) == REDISMODULE_ARG_TYPE_PURE_TOKEN);
static_assert(int(argument_type::block) == REDISMODULE_ARG_TYPE_BLOCK);
static_assert(argument_is_optional == REDISMODULE_CMD_ARG_OPTIONAL);
static_assert(argument_repeats == REDISMODULE_CMD_ARG_MULTIPLE);

}  // namespace
}  // namespace bloomery::redis::server
