// Keys in and out of a concurrent filter.
#include "query.hpp"

namespace bloomery::c_abi {
namespace {

struct insert_one_if_absent {
  int operator()(auto& f, key k) const noexcept { return f.insert_if_absent(k); }
};

int insert_key_if_absent(bloomery_concurrent& h, key k) noexcept {
  return h.held.call<insert_one_if_absent>(k);
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;

bloomery_status bloomery_concurrent_insert(bloomery_concurrent* filter, const void* key,
                                           std::size_t size) {
  return insert(filter, key, size);
}

bloomery_status bloomery_concurrent_insert_u64(bloomery_concurrent* filter,
                                               std::uint64_t number) {
  return insert_u64(filter, number);
}

bloomery_status bloomery_concurrent_insert_hash(bloomery_concurrent* filter,
                                                std::uint64_t hash) {
  return insert_hash(filter, hash);
}

int bloomery_concurrent_may_contain(const bloomery_concurrent* filter, const void* key,
                                    std::size_t size) {
  return may_contain(filter, key, size);
}

int bloomery_concurrent_may_contain_u64(const bloomery_concurrent* filter,
                                        std::uint64_t number) {
  return may_contain_u64(filter, number);
}

int bloomery_concurrent_may_contain_hash(const bloomery_concurrent* filter,
                                         std::uint64_t hash) {
  return may_contain_hash(filter, hash);
}

bloomery_status bloomery_concurrent_hash(const bloomery_concurrent* filter,
                                         const void* key, std::size_t size,
                                         std::uint64_t* hash) {
  return hash_of(filter, key, size, hash);
}

bloomery_status bloomery_concurrent_hash_u64(const bloomery_concurrent* filter,
                                             std::uint64_t number, std::uint64_t* hash) {
  return hash_of_u64(filter, number, hash);
}

bloomery_status bloomery_concurrent_insert_batch(bloomery_concurrent* filter,
                                                 const void* const* keys,
                                                 const std::size_t* sizes,
                                                 std::size_t count) {
  return insert_all(filter, separate_keys{keys, sizes, count});
}

bloomery_status bloomery_concurrent_insert_packed(bloomery_concurrent* filter,
                                                  const void* data,
                                                  const std::uint64_t* offsets,
                                                  std::size_t count) {
  return insert_all(filter, packed_keys{data, offsets, count});
}

bloomery_status bloomery_concurrent_insert_u64_batch(bloomery_concurrent* filter,
                                                     const std::uint64_t* numbers,
                                                     std::size_t count) {
  return insert_all_u64(filter, numbers, count);
}

bloomery_status bloomery_concurrent_insert_hash_batch(bloomery_concurrent* filter,
                                                      const std::uint64_t* hashes,
                                                      std::size_t count) {
  return insert_all_hashes(filter, hashes, count);
}

bloomery_status bloomery_concurrent_may_contain_batch(const bloomery_concurrent* filter,
                                                      const void* const* keys,
                                                      const std::size_t* sizes,
                                                      std::size_t count,
                                                      std::uint8_t* perhaps) {
  return query_all(filter, separate_keys{keys, sizes, count}, perhaps);
}

bloomery_status bloomery_concurrent_may_contain_packed(const bloomery_concurrent* filter,
                                                       const void* data,
                                                       const std::uint64_t* offsets,
                                                       std::size_t count,
                                                       std::uint8_t* perhaps) {
  return query_all(filter, packed_keys{data, offsets, count}, perhaps);
}

bloomery_status bloomery_concurrent_may_contain_u64_batch(
    const bloomery_concurrent* filter, const std::uint64_t* numbers, std::size_t count,
    std::uint8_t* perhaps) {
  return query_all_u64(filter, numbers, count, perhaps);
}

bloomery_status bloomery_concurrent_may_contain_hash_batch(
    const bloomery_concurrent* filter, const std::uint64_t* hashes, std::size_t count,
    std::uint8_t* perhaps) {
  return query_all_hashes(filter, hashes, count, perhaps);
}

int bloomery_concurrent_insert_if_absent(bloomery_concurrent* filter, const void* key,
                                         std::size_t size) {
  if (filter == nullptr || !is_readable(key, size)) return wrong_call;
  if (!takes_bytes(filter->held)) return other_keys;
  return insert_key_if_absent(*filter, filter->held.hash().hash(text_of(key, size)));
}

int bloomery_concurrent_insert_u64_if_absent(bloomery_concurrent* filter,
                                             std::uint64_t number) {
  if (filter == nullptr) return wrong_call;
  if (!takes_integers(filter->held)) return other_keys;
  return insert_key_if_absent(*filter, filter->held.hash().hash_u64(number));
}

int bloomery_concurrent_insert_hash_if_absent(bloomery_concurrent* filter,
                                              std::uint64_t hash) {
  if (filter == nullptr) return wrong_call;
  return insert_key_if_absent(*filter, bloomery::key::from_bits(hash));
}
