// The value of a key of BF: RedisBloom's chain, in memory of the server.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <bloomery/foreign_filter.hpp>

#include "binding.hpp"
#include "server_memory.hpp"
#include "words.hpp"

namespace bloomery::redis {

// The type of the values, once it is registered.
extern server::type* bloom_type;
// False: a module has registered this name already.
bool register_bloom_type(server::context* ctx) noexcept;

// Null: no memory.
redisbloom_chain* new_bloom(redisbloom_chain f) noexcept;
void free_bloom(redisbloom_chain* f) noexcept;

// How many values there are: INFO.  Values may be freed by another thread.
std::uint64_t bloom_count() noexcept;

// An open key; closed at the end of the scope.
class open_key {
 public:
  open_key(server::context* ctx, server::string* name, int mode) noexcept
      : key_(server::OpenKey(ctx, name, mode)) {}
  ~open_key() {
    if (key_ != nullptr) server::CloseKey(key_);
  }
  open_key(const open_key&) = delete;
  open_key& operator=(const open_key&) = delete;

  bool is_missing() const noexcept {
    return key_ == nullptr || server::KeyType(key_) == server::key_is_empty;
  }
  // Null: missing, or of another type.
  redisbloom_chain* bloom() const noexcept {
    if (is_missing() || server::KeyType(key_) != server::key_is_of_module ||
        server::ModuleTypeGetType(key_) != bloom_type)
      return nullptr;
    return static_cast<redisbloom_chain*>(server::ModuleTypeGetValue(key_));
  }
  // What a command says that needs a filter; null: it is one.
  const char* why_not_bloom() const noexcept {
    if (is_missing()) return "ERR not found";
    return bloom() != nullptr ? nullptr : wrong_type;
  }
  void put(redisbloom_chain* f) noexcept {
    server::ModuleTypeSetValue(key_, bloom_type, f);
  }

  static constexpr const char* wrong_type =
      "WRONGTYPE Operation against a key holding the wrong kind of value";

 private:
  server::key* key_;
};

}  // namespace bloomery::redis
