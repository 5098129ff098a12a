// What callers tell a reader or writer of containers.
#pragma once

#include <cstring>
#include <optional>

#include <bloomery/container.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"
#include "handles.hpp"
#include "keys.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {

inline constexpr std::uint32_t max_sentinels = 8;

inline result<write_notes> notes_of(const bloomery_write_options* options) noexcept {
  const auto o = read_optional(options);
  if (!o) return o.error();
  if (o->sentinel_count > max_sentinels)
    return error{errc::invalid_argument, "at most 8 sentinels", 0,
                 static_cast<double>(o->sentinel_count), max_sentinels};
  if (!is_readable(o->sentinels, o->sentinel_count)) return null_argument();
  if (!(o->asked_fpr >= 0 && o->asked_fpr <= 1))
    return error{errc::invalid_argument, "a rate lies between 0 and 1", 0, o->asked_fpr};
  return write_notes{o->asked_fpr,
                     o->keys,
                     keys_of(o->sentinels, o->sentinel_count),
                     {o->progress, o->context}};
}

// The same, for a filter that must hold the sentinels: a reader refuses it otherwise.
// What the caller does not say, the filter's builder says, if it had one.
// REQUIRES: `built` outlives the notes
template <class F>
result<write_notes> notes_for(const F& f, const bloomery_write_options* options,
                              const std::optional<builder_notes>& built = {}) noexcept {
  auto notes = notes_of(options);
  if (!notes) return notes;
  if (built) {
    if (notes->asked_fpr == 0) notes->asked_fpr = built->asked_fpr;
    if (notes->keys == 0) notes->keys = built->keys;
    if (notes->sentinels.empty()) notes->sentinels = built->sentinels.all();
  }
  for (const key k : notes->sentinels)
    if (!f.may_contain(k))
      return error{errc::invalid_argument, "a sentinel is no key of this filter"};
  return notes;
}

// read_options with the secret they point to.
struct reading {
  hasher::secret secret{};
  bool has_secret = false;
  std::uint64_t max_bytes = ~std::uint64_t{0};

  read_options options() const noexcept {
    return {has_secret ? &secret : nullptr, max_bytes};
  }
};

inline result<reading> reading_of(const bloomery_read_options* options) noexcept {
  const auto o = read_optional(options);
  if (!o) return o.error();
  if (o->reserved != 0)
    return error{errc::unsupported, "an option that this version does not know"};
  reading r;
  r.has_secret = o->secret != nullptr;
  if (r.has_secret) std::memcpy(r.secret.data(), o->secret, r.secret.size());
  if (o->max_bytes != 0) r.max_bytes = o->max_bytes;
  return r;
}

}  // namespace bloomery::c_abi
