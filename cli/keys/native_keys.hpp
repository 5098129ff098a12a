// What the keys of a native filter are: settled between what its file says and what
// --key-type says, so that keys are looked up as they were inserted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

#include "keys/key_type.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

struct native_keys {
  key_encoding encoding = {};  // how the text of a key becomes bytes
  key_source source = key_source::bytes;
  // The file does not say what its keys are, and 64-bit integers have had two meanings:
  // both are looked up.
  bool in_both_meanings = false;
  bool by_the_file = false;  // nobody named their type

  bool are_bytes() const { return source == key_source::bytes && !in_both_meanings; }
};

// The keys of a new filter.  `key_type` may be empty: bytes.  Throws failure.
native_keys keys_to_insert(const std::string& key_type);

// The keys of a filter to query, whose file says `recorded`, or nothing.  Throws failure,
// which begins with the path: --key-type says otherwise.
native_keys keys_to_query(const std::string& path, const std::string& key_type,
                          std::optional<key_source> recorded, hash_id hash);

// How they are written.  Bytes that a source is made of may be encoded in hex, too.
// Throws failure: in hex, and a number or of a type that was named.
record_format spelling(const record_format& f, const native_keys& keys);

// The keys of texts that were encoded as bytes; numbers as 8, little-endian.
void hash_encoded(const hasher& h, std::span<const std::string_view> encoded,
                  std::span<key> out);

// Looks up keys that are not bytes: ask(span<const key>, span<bool>).
template <class Ask>
void query_encoded(const native_keys& keys, const hasher& h,
                   std::span<const std::string_view> encoded, std::span<bool> out,
                   Ask ask) {
  constexpr std::size_t group = 512;
  key hashed[group];
  bool other[group];
  for (std::size_t at = 0; at < encoded.size(); at += group) {
    const auto some = encoded.subspan(at, std::min(group, encoded.size() - at));
    const auto ks = std::span(hashed).first(some.size());
    const auto answers = out.subspan(at, some.size());
    hash_encoded(h.of(keys.source), some, ks);
    ask(std::span<const key>(ks), answers);
    if (!keys.in_both_meanings) continue;
    hash_encoded(h.of(key_source::bytes), some, ks);
    const auto as_bytes = std::span(other).first(some.size());
    ask(std::span<const key>(ks), as_bytes);
    for (std::size_t i = 0; i < some.size(); ++i) answers[i] |= as_bytes[i];
  }
}

// Looks up keys in a filter, or a view of one.
void query_native(const auto& filter, const native_keys& keys,
                  std::span<const std::string_view> encoded, std::span<bool> out) {
  if (keys.are_bytes()) return filter.may_contain(encoded, out);
  query_encoded(keys, filter.hasher(), encoded, out,
                [&](std::span<const key> ks, std::span<bool> answers) {
                  filter.may_contain(ks, answers);
                });
}

}  // namespace bloomery::cli
