// The values of keys: RedisBloom's filters, in memory of the server.
#pragma once

#include <cstdint>

#include <bloomery/foreign_filter.hpp>

#include "binding.hpp"
#include "server_memory.hpp"
#include "settings.hpp"
#include "words.hpp"

namespace bloomery::redis {

using chain = redisbloom_chain;
using cuckoo = redisbloom_cuckoo;

// The types of the values, once they are registered.
template <class F>
inline server::type* type_of = nullptr;
// False: a module has registered such a name already.
bool register_types(server::context* ctx) noexcept;

// Null: no memory.
template <class F>
F* new_value(F f) noexcept;
extern template chain* new_value(chain f) noexcept;
extern template cuckoo* new_value(cuckoo f) noexcept;

// How many values there are: INFO.  Values may be freed by another thread.
std::uint64_t value_count() noexcept;

inline constexpr const char* wrong_type =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr const char* not_found = "ERR not found";

// An open key of a filter F; closed at the end of the scope.
template <class F>
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
  F* filter() const noexcept {
    if (is_missing() || server::KeyType(key_) != server::key_is_of_module ||
        server::ModuleTypeGetType(key_) != type_of<F>)
      return nullptr;
    return static_cast<F*>(server::ModuleTypeGetValue(key_));
  }
  // What a command says that needs a filter; null: it is one.
  const char* why_none() const noexcept {
    if (is_missing()) return not_found;
    return filter() != nullptr ? nullptr : wrong_type;
  }
  // What a command says that makes one; null: there is no key.
  const char* why_taken() const noexcept {
    if (is_missing()) return nullptr;
    return filter() != nullptr ? "ERR item exists" : wrong_type;
  }
  // RedisBloom takes a key of another type for one that is missing when it is queried;
  // strictly it is an error.
  bool is_wrong() const noexcept {
    return current.strict != 0 && !is_missing() && filter() == nullptr;
  }
  // Null: no memory, and the key is as it was.
  F* put(F f) noexcept {
    F* value = new_value(static_cast<F&&>(f));
    if (value != nullptr) server::ModuleTypeSetValue(key_, type_of<F>, value);
    return value;
  }

 private:
  server::key* key_;
};

// What a primary has accepted is not judged again: replicas would differ.
inline bool is_decided(server::context* ctx) noexcept {
  constexpr int decided = server::is_replicated | server::is_loading;
  return (server::GetContextFlags(ctx) & decided) != 0;
}
inline std::uint64_t max_bytes(server::context* ctx) noexcept {
  return is_decided(ctx) ? ~std::uint64_t{0}
                         : static_cast<std::uint64_t>(current.max_key_bytes);
}

// A write that has changed the key.
inline void changed(server::context* ctx, server::string* key,
                    const char* event) noexcept {
  server::SignalModifiedKey(ctx, key);
  server::NotifyKeyspaceEvent(ctx, server::notify_generic, event, key);
}

}  // namespace bloomery::redis
