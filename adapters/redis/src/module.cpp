// Where the server enters: RedisModule_OnLoad, the one symbol that is exported.
#include <string_view>

#include <bloomery/version.hpp>

#include "binding.hpp"
#include "commands.hpp"
#include "settings.hpp"
#include "value.hpp"

namespace bloomery::redis {
namespace {

constexpr const char* module_name = "bloomery";

void info(server::info_context* ctx, int) {
  if (server::InfoAddSection(ctx, "filters") != server::ok) return;
  server::InfoAddFieldULongLong(ctx, "keys", value_count());
  server::InfoAddFieldULongLong(ctx, "max_key_bytes",
                                static_cast<unsigned long long>(current.max_key_bytes));
}

int load(server::context* ctx, server::string** argv, int argc) noexcept {
  const char* missing = server::find_calls(ctx);
  if (server::IsModuleNameBusy == nullptr || server::IsModuleNameBusy(module_name) != 0 ||
      server::SetModuleAttribs == nullptr)
    return server::failed;
  constexpr int version = 10000 * BLOOMERY_VERSION_MAJOR + 100 * BLOOMERY_VERSION_MINOR +
                          BLOOMERY_VERSION_PATCH;
  server::SetModuleAttribs(ctx, module_name, version, server::api_version);
  if (missing != nullptr) {
    if (server::Log != nullptr)
      server::Log(ctx, "warning",
                  "bloomery: this server has no RedisModule_%s: Redis 6.2 or later is "
                  "needed",
                  missing);
    return server::failed;
  }
  std::string_view argument;
  if (const char* why = read_arguments(argv, argc, argument)) {
    server::Log(ctx, "warning", "bloomery: the argument '%.*s' %s",
                static_cast<int>(argument.size()), argument.data(), why);
    return server::failed;
  }
  server::SetModuleOptions(ctx, server::handle_io_errors | server::signal_keys_by_hand |
                                    server::handle_async_load);
  if (!register_types(ctx)) {
    server::Log(ctx, "warning", "bloomery: a data type exists already");
    return server::failed;
  }
  if (!register_commands(ctx)) return server::failed;
  if (!register_settings(ctx)) {
    server::Log(ctx, "warning", "bloomery: a setting of the configuration file is wrong");
    return server::failed;
  }
  if (server::RegisterInfoFunc != nullptr && server::InfoAddSection != nullptr &&
      server::InfoAddFieldULongLong != nullptr)
    server::RegisterInfoFunc(ctx, info);
  return server::ok;
}

}  // namespace
}  // namespace bloomery::redis

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(
    RedisModuleCtx* ctx, RedisModuleString** argv, int argc) {
  return bloomery::redis::load(ctx, argv, argc);
}
