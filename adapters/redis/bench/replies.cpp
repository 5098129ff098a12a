// A module of one command that does nothing: replies.integers KEY ITEM... gives 0 for
// each item.  What BF.MEXISTS takes beyond it is the filter (measure.py).  An argument is
// the name of the command instead: tests take one of ours with it.
#include "../src/binding.hpp"

namespace bloomery::redis {
namespace {

int integers(server::context* ctx, server::string**, int argc) {
  if (argc < 3) return server::WrongArity(ctx);
  server::ReplyWithArray(ctx, argc - 2);
  for (int i = 2; i < argc; ++i) server::ReplyWithLongLong(ctx, 0);
  return server::ok;
}

}  // namespace
}  // namespace bloomery::redis

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(
    RedisModuleCtx* ctx, RedisModuleString** argv, int argc) {
  using namespace bloomery::redis;
  if (server::find_calls(ctx) != nullptr) return server::failed;
  server::SetModuleAttribs(ctx, "replies", 1, server::api_version);
  const char* name =
      argc == 1 ? server::StringPtrLen(argv[0], nullptr) : "replies.integers";
  return server::CreateCommand(ctx, name, integers, "readonly fast", 1, 1, 1);
}
