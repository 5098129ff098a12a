// Options of callers for reading and writing containers.
#pragma once

#include <cstring>
#include <optional>

#include <bloomery/container.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"
#include "handles.hpp"
#include "hashing.hpp"
#include "keys.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {

inline result<write_notes> notes_of(const bloomery_write_options* options) noexcept {
  const auto o = read_optional(options);
  if (!o) return o.error();
  if (!is_readable(o->sentinels, o->sentinel_count)) return null_argument();
  return write_notes{o->asked_fpr,
                     o->keys,
                     keys_of(o->sentinels, o->sentinel_count),
                     {o->progress, o->context}};
}

// What the caller does not say, the filter's builder says, if it had one.
// REQUIRES: `built` outlives the notes
inline result<write_notes> notes_of(const bloomery_write_options* options,
                                    const std::optional<builder_notes>& built) noexcept {
  auto notes = notes_of(options);
  if (!notes) return notes;
  if (built) {
    if (notes->asked_fpr == 0) notes->asked_fpr = built->asked_fpr;
    if (notes->keys == 0) notes->keys = built->keys;
    if (notes->sentinels.empty()) notes->sentinels = built->sentinels.all();
  }
  return notes;
}

// read_options with the secret they point to.
struct reading {
  hasher::secret secret{};
  bool has_secret = false;
  std::uint64_t max_bytes = ~std::uint64_t{0};
  std::optional<key_source> source = key_source::bytes;

  read_options options() const noexcept {
    return {has_secret ? &secret : nullptr, max_bytes, source};
  }
};

inline result<reading> reading_of(const bloomery_read_options* options) noexcept {
  const auto o = read_optional(options);
  if (!o) return o.error();
  reading r;
  if (o->source == BLOOMERY_SOURCE_ANY) {
    r.source.reset();
  } else {
    const auto source = source_of(o->source);
    if (!source) return source.error();
    r.source = *source;
  }
  r.has_secret = o->secret != nullptr;
  if (r.has_secret) std::memcpy(r.secret.data(), o->secret, r.secret.size());
  if (o->max_bytes != 0) r.max_bytes = o->max_bytes;
  return r;
}

}  // namespace bloomery::c_abi
