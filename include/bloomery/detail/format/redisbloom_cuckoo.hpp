// RedisBloom's CF as a server keeps it: a list of cuckoo filters of one-byte
// fingerprints, with the slots, sizes and dumps of RedisBloom
// (spec/dialects/redisbloom.md).
//
// Keys can be erased, by the key: what was never inserted but tests positive deletes a
// fingerprint of another key, which then tests absent.  RedisBloom's rule is kept here
// for its data; our own `cuckoo` has receipts.
//
// Thread safety: const calls may run together; any other call must run alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/detail/base/page_list.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT redisbloom_cuckoo {
 public:
  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

  struct params {
    std::uint64_t keys = 1024;           // 2 * slots at least
    std::uint16_t slots = 2;             // of a bucket, at most 255
    std::uint16_t kicks = 20;            // before a sub-filter is added
    std::uint16_t growth = 1;            // rounded up to a power of two; 0: never grows
    std::uint64_t max_bytes = no_limit;  // of the slots
  };

  // Errors: invalid_argument, too_large (`asked` bytes, `possible` are max_bytes; nothing
  // was allocated), out_of_memory.
  static result<redisbloom_cuckoo> make(const params& p) noexcept;

  // A filter whose slots are still to be loaded, as redisbloom_chain::from_header.
  static result<redisbloom_cuckoo> from_header(
      std::span<const std::byte> header, std::uint64_t max_bytes = no_limit) noexcept;

  redisbloom_cuckoo(redisbloom_cuckoo&&) noexcept;
  redisbloom_cuckoo& operator=(redisbloom_cuckoo&&) noexcept;
  ~redisbloom_cuckoo();

  // --- lookups ---
  // While slots are missing (is_loaded) all keys are possibly present, once.
  bool may_contain(std::string_view key) const noexcept { return count(key) != 0; }
  // REQUIRES: out.size() == keys.size()
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept;
  // Fingerprints of the key, and of others like it.  A key whose two buckets are one is
  // counted twice, as RedisBloom does.
  std::uint64_t count(std::string_view key) const noexcept;

  // --- inserts and erases: if they are refused, nothing has changed ---
  // A copy more.  Errors: full (it does not grow), unsupported (slots are missing),
  // too_large (beyond max_bytes, or what a sub-filter may have), out_of_memory.
  result<void> try_insert(std::string_view key,
                          std::uint64_t max_bytes = no_limit) noexcept;
  // A copy less.  REQUIRES: the key was inserted, and not erased since
  // Errors: not_present, unsupported (slots are missing).
  result<void> erase_present(std::string_view key) noexcept;
  // Moves fingerprints to older sub-filters, and gives back those that are empty then.
  // Errors: unsupported (slots are missing).
  result<void> compact() noexcept;

  // --- dumps, as redisbloom_chain ---
  static constexpr std::size_t header_bytes = 38;
  std::size_t header_size() const noexcept { return header_bytes; }
  void encode_header(std::span<std::byte> out) const noexcept;
  std::span<const std::byte> bytes_at(std::uint64_t offset) const noexcept;
  // Slots that are loaded again must be as they are: others are refused.
  result<void> load(std::uint64_t offset, std::span<const std::byte> slots) noexcept;
  bool is_loaded() const noexcept { return loaded_ == bytes_; }
  std::uint64_t loaded_bytes() const noexcept { return loaded_; }
  result<redisbloom_cuckoo> clone() const noexcept;

  // --- what it is ---
  std::size_t links() const noexcept;  // sub-filters
  std::uint64_t keys() const noexcept { return keys_; }
  std::uint64_t erased() const noexcept { return erased_; }  // since the last compaction
  std::uint64_t buckets() const noexcept { return buckets_; }  // of the first sub-filter
  std::uint16_t slots() const noexcept { return slots_; }
  std::uint16_t kicks() const noexcept { return kicks_; }
  std::uint16_t growth() const noexcept { return growth_; }
  std::uint64_t size_in_bytes() const noexcept { return bytes_; }
  std::size_t allocated_bytes() const noexcept;
  bool relocate(std::size_t i, void* (*move)(void* memory, void* context) noexcept,
                void* context) noexcept;

 private:
  struct part;      // a sub-filter
  struct position;  // of a key

  redisbloom_cuckoo() noexcept;
  result<std::uint64_t> next_buckets() const noexcept;
  bool put(const position& at) noexcept;
  bool kick(const position& at) noexcept;
  bool strip(std::size_t i) noexcept;
  void compact_from_newest(bool all) noexcept;

  page_list<part> parts_;
  std::uint64_t keys_ = 0, erased_ = 0, buckets_ = 0;
  std::uint64_t bytes_ = 0, loaded_ = 0;
  std::uint16_t slots_ = 0, kicks_ = 0, growth_ = 0;
};

}  // namespace bloomery::inline v1
