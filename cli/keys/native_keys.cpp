#include "keys/native_keys.hpp"

#include <fmt/core.h>

#include <cstdint>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Numbers are encoded as 8 bytes where they are keys by their value, else as their type
// has them.
native_keys keys_of(const key_type& type, key_source source) {
  const bool by_value = source == key_source::integers || source == key_source::hashes;
  return {{&type, by_value ? number_keys::sign_extended : number_keys::plain}, source};
}

// 42 is the same key whatever type held it.
bool is_of(const key_type& type, key_source source) {
  return type.source == source ||
         (source == key_source::integers && type.source == key_source::int32);
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t x = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    x = x << 8 | static_cast<unsigned char>(bytes[i]);
  return x;
}

}  // namespace

native_keys keys_to_insert(const std::string& name) {
  const key_type& type = key_type_named(name.empty() ? "bytes" : name);
  return keys_of(type, type.source);
}

native_keys keys_to_query(const std::string& path, const std::string& name,
                          std::optional<key_source> recorded, hash_id hash) {
  if (!recorded) {
    native_keys keys = keys_to_insert(name);
    keys.in_both_meanings = keys.source == key_source::integers && hash == hash_id::xxh3;
    return keys;
  }
  if (name.empty()) {
    native_keys keys = keys_of(key_type_named(name_of(*recorded)), *recorded);
    keys.by_the_file = true;
    return keys;
  }
  const key_type& type = key_type_named(name);
  if (!is_of(type, *recorded))
    throw failure(fmt::format(
        "{}: its keys are {}, and keys of type {} were never inserted: leave --key-type "
        "out, and they are read as {}",
        path, name_of(*recorded), name, name_of(*recorded)));
  return keys_of(type, *recorded);
}

record_format spelling(const record_format& f, const native_keys& keys) {
  if (!f.hex || !keys.by_the_file) return with_encoding(f, keys.encoding);
  if (!is_hashed_as_bytes(keys.source))
    throw failure(
        fmt::format("--hex: the keys of this filter are {}: write them in decimal",
                    name_of(keys.source)));
  return f;
}

void hash_encoded(const hasher& h, std::span<const std::string_view> encoded,
                  std::span<key> out) {
  if (is_hashed_as_bytes(h.source())) return h.hash(encoded, out);
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const std::uint64_t number = number_in(encoded[i]);
    out[i] =
        h.source() == key_source::integers ? h.hash_u64(number) : h.from_hash(number);
  }
}

}  // namespace bloomery::cli
