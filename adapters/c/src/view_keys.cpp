// Keys asked of a view.
#include "query.hpp"

using namespace bloomery::c_abi;

int bloomery_view_may_contain(const bloomery_view* view, const void* key,
                              std::size_t size) {
  return may_contain(view, key, size);
}

int bloomery_view_may_contain_u64(const bloomery_view* view, std::uint64_t number) {
  return may_contain_u64(view, number);
}

int bloomery_view_may_contain_hash(const bloomery_view* view, std::uint64_t hash) {
  return may_contain_hash(view, hash);
}

bloomery_status bloomery_view_hash(const bloomery_view* view, const void* key,
                                   std::size_t size, std::uint64_t* hash) {
  return hash_of(view, key, size, hash);
}

bloomery_status bloomery_view_hash_u64(const bloomery_view* view, std::uint64_t number,
                                       std::uint64_t* hash) {
  return hash_of_u64(view, number, hash);
}

bloomery_status bloomery_view_may_contain_batch(const bloomery_view* view,
                                                const void* const* keys,
                                                const std::size_t* sizes,
                                                std::size_t count,
                                                std::uint8_t* perhaps) {
  return query_all(view, separate_keys{keys, sizes, count}, perhaps);
}

bloomery_status bloomery_view_may_contain_packed(const bloomery_view* view,
                                                 const void* data,
                                                 const std::uint64_t* offsets,
                                                 std::size_t count,
                                                 std::uint8_t* perhaps) {
  return query_all(view, packed_keys{data, offsets, count}, perhaps);
}

bloomery_status bloomery_view_may_contain_u64_batch(const bloomery_view* view,
                                                    const std::uint64_t* numbers,
                                                    std::size_t count,
                                                    std::uint8_t* perhaps) {
  return query_all_u64(view, numbers, count, perhaps);
}

bloomery_status bloomery_view_may_contain_hash_batch(const bloomery_view* view,
                                                     const std::uint64_t* hashes,
                                                     std::size_t count,
                                                     std::uint8_t* perhaps) {
  return query_all_hashes(view, hashes, count, perhaps);
}
