// Calls that only some kinds have.
#include <span>

#include "handles.hpp"
#include "keys.hpp"
#include "one_key.hpp"

namespace bloomery::c_abi {
namespace {

result<void> try_insert(bloomery_filter& h, key k) noexcept {
  const auto done = h.filter.try_insert(k);
  if (done) forget_builder(h);
  return done;
}

// Until a key is refused; `inserted` counts those before it.
result<void> try_insert_some(bloomery_filter& h, std::span<const key> ks,
                             std::size_t& inserted) noexcept {
  const auto in = h.filter.try_insert(ks);
  if (!in) return in.error();
  inserted += *in;
  if (*in != 0) forget_builder(h);
  // The refused one by itself says why.
  for (const key k : ks.subspan(*in)) {
    if (auto ok = try_insert(h, k); !ok) return ok;
    ++inserted;
  }
  return {};
}

template <class Takes, class HashAt>
bloomery_status try_insert_all(bloomery_filter* h, bool is_readable, Takes takes,
                               std::size_t count, std::size_t* inserted,
                               bloomery_error* why, HashAt hash_at) noexcept {
  std::size_t done = 0;
  const bloomery_status status = guarded(why, [&]() -> result<void> {
    if (h == nullptr || !is_readable) return null_argument();
    if (!takes(h->filter)) return other_source();
    const hasher hash = h->filter.hasher();
    return in_hashed_groups(
        count, [&](std::size_t i) { return hash_at(hash, i); },
        [&](std::span<const key> group) { return try_insert_some(*h, group, done); });
  });
  if (inserted != nullptr) *inserted = done;
  return status;
}

template <class Keys>
bloomery_status try_insert_all(bloomery_filter* h, const Keys& ks, std::size_t* inserted,
                               bloomery_error* why) noexcept {
  return try_insert_all(
      h, ks.is_readable(), of_bytes, ks.count, inserted, why,
      [&](const hasher& hash, std::size_t i) { return hash.hash(ks[i]); });
}

// 1 or 0 by way of a call that says them, or minus the status.
template <class Call>
int as_answer(Call call) noexcept {
  bool answer = false;
  const bloomery_status status = call([&](bloomery_filter& h, key k) -> result<void> {
    const auto is_new = h.filter.insert_if_absent(k);
    if (!is_new) return is_new.error();
    answer = *is_new;
    if (answer) forget_builder(h);
    return {};
  });
  return status == BLOOMERY_OK ? answer : -static_cast<int>(status);
}

// count_into(copies)(filter, key)
auto count_into(std::uint64_t* copies) noexcept {
  return [copies](const bloomery_filter& h, key k) -> result<void> {
    if (copies == nullptr) return null_argument();
    const auto counted = h.filter.count(k);
    if (!counted) return counted.error();
    *copies = *counted;
    return {};
  };
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::hasher;
using bloomery::result;

bloomery_status bloomery_filter_try_insert(bloomery_filter* filter, const void* key,
                                           std::size_t size, bloomery_error* error) {
  return with_key(filter, key, size, error, try_insert);
}

bloomery_status bloomery_filter_try_insert_u64(bloomery_filter* filter,
                                               std::uint64_t number,
                                               bloomery_error* error) {
  return with_u64(filter, number, error, try_insert);
}

bloomery_status bloomery_filter_try_insert_hash(bloomery_filter* filter,
                                                std::uint64_t hash,
                                                bloomery_error* error) {
  return with_hash(filter, hash, error, try_insert);
}

bloomery_status bloomery_filter_try_insert_batch(bloomery_filter* filter,
                                                 const void* const* keys,
                                                 const std::size_t* sizes,
                                                 std::size_t count, std::size_t* inserted,
                                                 bloomery_error* error) {
  return try_insert_all(filter, separate_keys{keys, sizes, count}, inserted, error);
}

bloomery_status bloomery_filter_try_insert_packed(
    bloomery_filter* filter, const void* data, const std::uint64_t* offsets,
    std::size_t count, std::size_t* inserted, bloomery_error* error) {
  return try_insert_all(filter, packed_keys{data, offsets, count}, inserted, error);
}

bloomery_status bloomery_filter_try_insert_u64_batch(bloomery_filter* filter,
                                                     const std::uint64_t* numbers,
                                                     std::size_t count,
                                                     std::size_t* inserted,
                                                     bloomery_error* error) {
  return try_insert_all(
      filter, is_readable(numbers, count), of_integers, count, inserted, error,
      [&](const hasher& hash, std::size_t i) { return hash.hash_u64(numbers[i]); });
}

bloomery_status bloomery_filter_try_insert_hash_batch(bloomery_filter* filter,
                                                      const std::uint64_t* hashes,
                                                      std::size_t count,
                                                      std::size_t* inserted,
                                                      bloomery_error* error) {
  return try_insert_all(
      filter, is_readable(hashes, count), hashed, count, inserted, error,
      [&](const hasher&, std::size_t i) { return bloomery::key::from_bits(hashes[i]); });
}

int bloomery_filter_insert_if_absent(bloomery_filter* filter, const void* key,
                                     std::size_t size) {
  return as_answer(
      [&](auto insert) { return with_key(filter, key, size, nullptr, insert); });
}

int bloomery_filter_insert_u64_if_absent(bloomery_filter* filter, std::uint64_t number) {
  return as_answer(
      [&](auto insert) { return with_u64(filter, number, nullptr, insert); });
}

int bloomery_filter_insert_hash_if_absent(bloomery_filter* filter, std::uint64_t hash) {
  return as_answer([&](auto insert) { return with_hash(filter, hash, nullptr, insert); });
}

bloomery_status bloomery_filter_count(const bloomery_filter* filter, const void* key,
                                      std::size_t size, std::uint64_t* copies,
                                      bloomery_error* error) {
  return with_key(filter, key, size, error, count_into(copies));
}

bloomery_status bloomery_filter_count_u64(const bloomery_filter* filter,
                                          std::uint64_t number, std::uint64_t* copies,
                                          bloomery_error* error) {
  return with_u64(filter, number, error, count_into(copies));
}

bloomery_status bloomery_filter_count_hash(const bloomery_filter* filter,
                                           std::uint64_t hash, std::uint64_t* copies,
                                           bloomery_error* error) {
  return with_hash(filter, hash, error, count_into(copies));
}

bloomery_status bloomery_filter_for_each(const bloomery_filter* filter,
                                         void (*each)(void* context,
                                                      std::uint64_t fingerprint,
                                                      std::uint64_t copies),
                                         void* context, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || each == nullptr) return null_argument();
    return filter->filter.iterate(each, context);
  });
}
