// Filters of other systems: made, read, asked, combined.
#include "foreign.hpp"

#include <utility>

#include "query.hpp"

namespace bloomery::c_abi {

result<foreign_request> foreign_request_of(
    const bloomery_foreign_options* options) noexcept {
  constexpr std::uint32_t known = 2 * BLOOMERY_GIVEN_GROWTH - 1;
  const auto o = read_optional(options);
  if (!o) return o.error();
  if ((o->given & ~known) != 0 || o->form > BLOOMERY_KEY_INTEGER || o->reserved != 0)
    return error{errc::unsupported, "an option that this version does not know"};
  const auto given = [&](std::uint32_t what) { return (o->given & what) != 0; };
  foreign_request r;
  if (o->variant != nullptr) r.params.variant = o->variant;
  if (given(BLOOMERY_GIVEN_BITS)) r.params.bits = o->bits;
  if (given(BLOOMERY_GIVEN_HASHES)) r.params.hashes = o->hashes;
  if (given(BLOOMERY_GIVEN_SEED)) r.params.seed = o->seed;
  if (given(BLOOMERY_GIVEN_PART)) r.params.part = o->part;
  if (given(BLOOMERY_GIVEN_FPR)) r.params.fpr = o->fpr;
  if (given(BLOOMERY_GIVEN_BITS_PER_KEY)) r.params.bits_per_key = o->bits_per_key;
  if (given(BLOOMERY_GIVEN_GROWTH)) r.params.growth = o->growth;
  r.params.form = static_cast<key_form>(o->form);
  r.params.keys = o->keys;
  if (o->max_bytes != 0) r.max_bytes = o->max_bytes;
  return r;
}

static_assert(static_cast<int>(key_form::text) == BLOOMERY_KEY_TEXT);
static_assert(static_cast<int>(key_form::integer) == BLOOMERY_KEY_INTEGER);

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::foreign_filter;
using bloomery::result;

bloomery_status bloomery_foreign_decode(const char* dialect, const void* data,
                                        std::size_t size,
                                        const bloomery_foreign_options* options,
                                        bloomery_foreign** filter,
                                        bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_foreign> {
    if (dialect == nullptr || !is_readable(data, size)) return null_argument();
    const auto r = foreign_request_of(options);
    if (!r) return r.error();
    return as_handle(foreign_filter::decode(
        dialect, std::as_bytes(std::span(text_of(data, size))), r->params));
  });
}

bloomery_status bloomery_foreign_load(const char* dialect, const char* path,
                                      const bloomery_foreign_options* options,
                                      bloomery_foreign** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_foreign> {
    if (dialect == nullptr || path == nullptr) return null_argument();
    const auto r = foreign_request_of(options);
    if (!r) return r.error();
    return as_handle(foreign_filter::load(dialect, path, r->params, r->max_bytes));
  });
}

bloomery_status bloomery_foreign_make(const char* dialect,
                                      const bloomery_foreign_options* options,
                                      bloomery_foreign** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_foreign> {
    if (dialect == nullptr) return null_argument();
    const auto r = foreign_request_of(options);
    if (!r) return r.error();
    return as_handle(foreign_filter::make(dialect, r->params));
  });
}

void bloomery_foreign_free(bloomery_foreign* filter) { delete filter; }

int bloomery_foreign_may_contain(const bloomery_foreign* filter, const void* key,
                                 std::size_t size) {
  if (filter == nullptr || !is_readable(key, size)) return wrong_call;
  return filter->filter.may_contain(text_of(key, size));
}

bloomery_status bloomery_foreign_may_contain_batch(const bloomery_foreign* filter,
                                                   const void* const* keys,
                                                   const std::size_t* sizes,
                                                   std::size_t count,
                                                   std::uint8_t* perhaps) {
  return query_all(filter, separate_keys{keys, sizes, count}, perhaps);
}

bloomery_status bloomery_foreign_may_contain_packed(const bloomery_foreign* filter,
                                                    const void* data,
                                                    const std::uint64_t* offsets,
                                                    std::size_t count,
                                                    std::uint8_t* perhaps) {
  return query_all(filter, packed_keys{data, offsets, count}, perhaps);
}

bloomery_status bloomery_foreign_insert(bloomery_foreign* filter, const void* key,
                                        std::size_t size, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || !is_readable(key, size)) return null_argument();
    return filter->filter.insert(text_of(key, size));
  });
}

bloomery_status bloomery_foreign_merge(bloomery_foreign* filter,
                                       const bloomery_foreign* other,
                                       bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || other == nullptr) return null_argument();
    return filter->filter.merge(other->filter);
  });
}
