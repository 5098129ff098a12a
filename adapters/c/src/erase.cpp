// Keys that are deleted, by receipt or by the caller's word.
#include <array>
#include <cstring>
#include <span>

#include <bloomery/any_filter.hpp>

#include "handles.hpp"
#include "keys.hpp"
#include "one_key.hpp"

namespace bloomery::c_abi {
namespace {

static_assert(sizeof(bloomery_receipt) == receipt::size_in_bytes);

void store(const receipt& r, bloomery_receipt* to) noexcept {
  const auto bytes = r.bytes();
  std::memcpy(to->bytes, bytes.data(), bytes.size());
}

receipt stored(const bloomery_receipt& from) noexcept {
  std::array<std::byte, receipt::size_in_bytes> bytes;
  std::memcpy(bytes.data(), from.bytes, bytes.size());
  return receipt::from_bytes(bytes);
}

// insert_for(receipt)(filter, key)
auto insert_for(bloomery_receipt* to, bool numbered = false) noexcept {
  return [to, numbered](bloomery_filter& h, key k) -> result<void> {
    if (to == nullptr) return null_argument();
    const auto issued = numbered ? h.filter.try_insert_with_numbered_receipt(k)
                                 : h.filter.try_insert_with_receipt(k);
    if (!issued) return issued.error();
    store(*issued, to);
    forget_builder(h);
    return {};
  };
}

// A receipt that cannot be had is none.
bloomery_receipt* cleared(bloomery_receipt* r) noexcept {
  if (r != nullptr) *r = bloomery_receipt{};
  return r;
}

constexpr auto erase_key = [](bloomery_filter& h, key k) -> result<void> {
  const auto done = h.filter.erase_present(k);
  if (done) forget_builder(h);
  return done;
};

// Where answers go: `erased` may be null.
struct erase_answers {
  std::uint8_t* erased;
  std::size_t done = 0, total = 0;  // keys; those that were present

  result<void> take(bloomery_filter& h, std::span<const key> ks) noexcept {
    std::array<bool, group_size> was_there;
    const auto answers = std::span(was_there).first(ks.size());
    const auto n = h.filter.erase_present(ks, answers);
    if (!n) return n.error();
    if (*n != 0) forget_builder(h);
    total += *n;
    for (std::size_t i = 0; erased != nullptr && i < ks.size(); ++i)
      erased[done + i] = was_there[i];
    done += ks.size();
    return {};
  }
};

template <class Takes, class HashAt>
bloomery_status erase_all(bloomery_filter* h, bool is_readable, Takes takes,
                          std::size_t count, std::uint8_t* erased,
                          std::size_t* count_erased, bloomery_error* why,
                          HashAt hash_at) noexcept {
  erase_answers answers{erased};
  if (erased != nullptr && count != 0) std::memset(erased, 0, count);
  const bloomery_status status = guarded(why, [&]() -> result<void> {
    if (h == nullptr || !is_readable) return null_argument();
    if (!takes(h->filter)) return other_source();
    const hasher hash = h->filter.hasher();
    return in_hashed_groups(
        count, [&](std::size_t i) { return hash_at(hash, i); },
        [&](std::span<const key> group) { return answers.take(*h, group); });
  });
  if (count_erased != nullptr) *count_erased = answers.total;
  return status;
}

template <class Keys>
bloomery_status erase_all(bloomery_filter* h, const Keys& ks, std::uint8_t* erased,
                          std::size_t* count_erased, bloomery_error* why) noexcept {
  return erase_all(h, ks.is_readable(), of_bytes, ks.count, erased, count_erased, why,
                   [&](const hasher& hash, std::size_t i) { return hash.hash(ks[i]); });
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::hasher;
using bloomery::result;

bloomery_status bloomery_filter_try_insert_receipt(bloomery_filter* filter,
                                                   const void* key, std::size_t size,
                                                   bloomery_receipt* receipt,
                                                   bloomery_error* error) {
  return with_key(filter, key, size, error, insert_for(cleared(receipt)));
}

bloomery_status bloomery_filter_try_insert_u64_receipt(bloomery_filter* filter,
                                                       std::uint64_t number,
                                                       bloomery_receipt* receipt,
                                                       bloomery_error* error) {
  return with_u64(filter, number, error, insert_for(cleared(receipt)));
}

bloomery_status bloomery_filter_try_insert_hash_receipt(bloomery_filter* filter,
                                                        std::uint64_t hash,
                                                        bloomery_receipt* receipt,
                                                        bloomery_error* error) {
  return with_hash(filter, hash, error, insert_for(cleared(receipt)));
}

bloomery_status bloomery_filter_try_insert_numbered_receipt(bloomery_filter* filter,
                                                            const void* key,
                                                            std::size_t size,
                                                            bloomery_receipt* receipt,
                                                            bloomery_error* error) {
  return with_key(filter, key, size, error, insert_for(cleared(receipt), true));
}

bloomery_status bloomery_filter_try_insert_u64_numbered_receipt(bloomery_filter* filter,
                                                                std::uint64_t number,
                                                                bloomery_receipt* receipt,
                                                                bloomery_error* error) {
  return with_u64(filter, number, error, insert_for(cleared(receipt), true));
}

bloomery_status bloomery_filter_try_insert_hash_numbered_receipt(
    bloomery_filter* filter, std::uint64_t hash, bloomery_receipt* receipt,
    bloomery_error* error) {
  return with_hash(filter, hash, error, insert_for(cleared(receipt), true));
}

bloomery_status bloomery_filter_erase_receipt(bloomery_filter* filter,
                                              bloomery_receipt* receipt,
                                              bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || receipt == nullptr) return null_argument();
    if (auto done = filter->filter.erase(stored(*receipt)); !done) return done;
    forget_builder(*filter);
    cleared(receipt);
    return {};
  });
}

bloomery_status bloomery_filter_erase_present(bloomery_filter* filter, const void* key,
                                              std::size_t size, bloomery_error* error) {
  return with_key(filter, key, size, error, erase_key);
}

bloomery_status bloomery_filter_erase_present_u64(bloomery_filter* filter,
                                                  std::uint64_t number,
                                                  bloomery_error* error) {
  return with_u64(filter, number, error, erase_key);
}

bloomery_status bloomery_filter_erase_present_hash(bloomery_filter* filter,
                                                   std::uint64_t hash,
                                                   bloomery_error* error) {
  return with_hash(filter, hash, error, erase_key);
}

bloomery_status bloomery_filter_erase_present_batch(
    bloomery_filter* filter, const void* const* keys, const std::size_t* sizes,
    std::size_t count, std::uint8_t* erased, std::size_t* count_erased,
    bloomery_error* error) {
  return erase_all(filter, separate_keys{keys, sizes, count}, erased, count_erased,
                   error);
}

bloomery_status bloomery_filter_erase_present_packed(
    bloomery_filter* filter, const void* data, const std::uint64_t* offsets,
    std::size_t count, std::uint8_t* erased, std::size_t* count_erased,
    bloomery_error* error) {
  return erase_all(filter, packed_keys{data, offsets, count}, erased, count_erased,
                   error);
}

bloomery_status bloomery_filter_erase_present_u64_batch(
    bloomery_filter* filter, const std::uint64_t* numbers, std::size_t count,
    std::uint8_t* erased, std::size_t* count_erased, bloomery_error* error) {
  return erase_all(filter, is_readable(numbers, count), of_integers, count, erased,
                   count_erased, error, [&](const hasher& hash, std::size_t i) {
                     return hash.hash_u64(numbers[i]);
                   });
}

bloomery_status bloomery_filter_erase_present_hash_batch(
    bloomery_filter* filter, const std::uint64_t* hashes, std::size_t count,
    std::uint8_t* erased, std::size_t* count_erased, bloomery_error* error) {
  return erase_all(
      filter, is_readable(hashes, count), hashed, count, erased, count_erased, error,
      [&](const hasher&, std::size_t i) { return bloomery::key::from_bits(hashes[i]); });
}
