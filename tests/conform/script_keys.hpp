// Keys of a script under a filter's hasher (spec/conformance.md, section 3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <bloomery/hasher.hpp>

#include "line.hpp"

namespace bloomery::conform {

// Hashers of bytes take every sort, so that scripts may mix them; others take their own.
inline bool takes(const hasher& h, const std::vector<script_key>& keys) {
  const key_source source = h.source();
  return source == key_source::bytes ||
         std::ranges::all_of(keys, [&](const script_key& k) {
           if (std::holds_alternative<std::uint64_t>(k))
             return source == key_source::integers;
           if (std::holds_alternative<key>(k)) return source == key_source::hashes;
           return is_hashed_as_bytes(source);
         });
}
// What is said of keys that are not taken.
inline constexpr const char* other_keys = "error incompatible";

// REQUIRES: takes(h, {k})
inline key hashed(const hasher& h, const script_key& k) {
  if (const auto* bytes = std::get_if<std::string>(&k))
    return h.hash(std::string_view(*bytes));
  if (const auto* x = std::get_if<std::uint64_t>(&k))
    return h.of(key_source::integers).hash_u64(*x);
  return std::get<key>(k);
}

}  // namespace bloomery::conform
