#include "binding.hpp"

#include <cstring>

namespace bloomery::redis::server {

#define BLOOMERY_REDIS_DEFINE(name, result, parameters) \
  result(*name) parameters = nullptr;
BLOOMERY_REDIS_CALLS(BLOOMERY_REDIS_DEFINE)
BLOOMERY_REDIS_OPTIONAL_CALLS(BLOOMERY_REDIS_DEFINE)
BLOOMERY_REDIS_LATER_CALLS(BLOOMERY_REDIS_DEFINE)
#undef BLOOMERY_REDIS_DEFINE

// The first word of the context is the function that finds the others.
const char* find_calls(context* ctx) noexcept {
  using finder = int (*)(const char*, void*);
  finder find;
  std::memcpy(&find, static_cast<const void*>(ctx), sizeof find);
  // Names are of the server: "RedisModule_Alloc", in Valkey as well.
#define BLOOMERY_REDIS_FIND(name, result, parameters) \
  find("RedisModule_" #name, static_cast<void*>(&name));
  BLOOMERY_REDIS_CALLS(BLOOMERY_REDIS_FIND)
  BLOOMERY_REDIS_OPTIONAL_CALLS(BLOOMERY_REDIS_FIND)
  BLOOMERY_REDIS_LATER_CALLS(BLOOMERY_REDIS_FIND)
#undef BLOOMERY_REDIS_FIND
#define BLOOMERY_REDIS_TEST(name, result, parameters) \
  if (name == nullptr) return #name;
  BLOOMERY_REDIS_CALLS(BLOOMERY_REDIS_TEST)
#undef BLOOMERY_REDIS_TEST
  return nullptr;
}

}  // namespace bloomery::redis::server
