// Keys in and out of a filter.
#include "query.hpp"

using namespace bloomery::c_abi;

bloomery_status bloomery_filter_insert(bloomery_filter* filter, const void* key,
                                       std::size_t size) {
  return insert(filter, key, size);
}

bloomery_status bloomery_filter_insert_u64(bloomery_filter* filter,
                                           std::uint64_t number) {
  return insert_u64(filter, number);
}

bloomery_status bloomery_filter_insert_hash(bloomery_filter* filter, std::uint64_t hash) {
  return insert_hash(filter, hash);
}

int bloomery_filter_may_contain(const bloomery_filter* filter, const void* key,
                                std::size_t size) {
  return may_contain(filter, key, size);
}

int bloomery_filter_may_contain_u64(const bloomery_filter* filter, std::uint64_t number) {
  return may_contain_u64(filter, number);
}

int bloomery_filter_may_contain_hash(const bloomery_filter* filter, std::uint64_t hash) {
  return may_contain_hash(filter, hash);
}

bloomery_status bloomery_filter_hash(const bloomery_filter* filter, const void* key,
                                     std::size_t size, std::uint64_t* hash) {
  return hash_of(filter, key, size, hash);
}

bloomery_status bloomery_filter_hash_u64(const bloomery_filter* filter,
                                         std::uint64_t number, std::uint64_t* hash) {
  return hash_of_u64(filter, number, hash);
}

bloomery_status bloomery_filter_insert_batch(bloomery_filter* filter,
                                             const void* const* keys,
                                             const std::size_t* sizes,
                                             std::size_t count) {
  return insert_all(filter, separate_keys{keys, sizes, count});
}

bloomery_status bloomery_filter_insert_packed(bloomery_filter* filter, const void* data,
                                              const std::uint64_t* offsets,
                                              std::size_t count) {
  return insert_all(filter, packed_keys{data, offsets, count});
}

bloomery_status bloomery_filter_insert_u64_batch(bloomery_filter* filter,
                                                 const std::uint64_t* numbers,
                                                 std::size_t count) {
  return insert_all_u64(filter, numbers, count);
}

bloomery_status bloomery_filter_insert_hash_batch(bloomery_filter* filter,
                                                  const std::uint64_t* hashes,
                                                  std::size_t count) {
  return insert_all_hashes(filter, hashes, count);
}

bloomery_status bloomery_filter_may_contain_batch(const bloomery_filter* filter,
                                                  const void* const* keys,
                                                  const std::size_t* sizes,
                                                  std::size_t count,
                                                  std::uint8_t* perhaps) {
  return query_all(filter, separate_keys{keys, sizes, count}, perhaps);
}

bloomery_status bloomery_filter_may_contain_packed(const bloomery_filter* filter,
                                                   const void* data,
                                                   const std::uint64_t* offsets,
                                                   std::size_t count,
                                                   std::uint8_t* perhaps) {
  return query_all(filter, packed_keys{data, offsets, count}, perhaps);
}

bloomery_status bloomery_filter_may_contain_u64_batch(const bloomery_filter* filter,
                                                      const std::uint64_t* numbers,
                                                      std::size_t count,
                                                      std::uint8_t* perhaps) {
  return query_all_u64(filter, numbers, count, perhaps);
}

bloomery_status bloomery_filter_may_contain_hash_batch(const bloomery_filter* filter,
                                                       const std::uint64_t* hashes,
                                                       std::size_t count,
                                                       std::uint8_t* perhaps) {
  return query_all_hashes(filter, hashes, count, perhaps);
}

bloomery_status bloomery_filter_insert_hash_batch_by(bloomery_filter* filter,
                                                     const std::uint64_t* hashes,
                                                     std::size_t count,
                                                     std::uint32_t threads) {
  if (filter == nullptr || !is_readable(hashes, count) || threads == 0)
    return BLOOMERY_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> bloomery::result<void> {
    const auto done =
        filter->filter.insert(keys_of(hashes, count), std::min(threads, max_threads));
    if (done && count != 0) forget_builder(*filter);
    return done;
  });
}
