// RedisBloom's BF as a server keeps it: a piece of memory per link, with the bits, sizes
// and dumps of RedisBloom (spec/dialects/redisbloom.md).
//
//   auto f = bloomery::redisbloom_chain::make({.keys = 1000, .fpr = 0.001});
//   auto added = f->insert_if_absent("alice");          true; grows when it is full
//   f->encode_header(header); f->bytes_at(offset)       what BF.SCANDUMP replies
//
// foreign_filter reads and writes whole files in one piece, and copies that piece to
// grow; this is for programs that keep such filters for long, and move them in chunks.
//
// Thread safety: const calls may run together; any other call must run alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <bloomery/detail/base/page_list.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT redisbloom_chain {
 public:
  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

  struct params {
    std::uint64_t keys = 100;
    double fpr = 0.01;         // above 0.25 counts as 0.25
    std::uint32_t growth = 2;  // the next link holds so many times the keys
    bool grows = true;
    std::uint64_t max_bytes = no_limit;  // of the bits
  };

  // An empty chain of one link.  Errors: invalid_argument, too_large (`asked` bytes,
  // `possible` are max_bytes; nothing was allocated), out_of_memory.
  static result<redisbloom_chain> make(const params& p) noexcept;

  // A chain whose bits are still to be loaded.  The memory of the bits is taken as they
  // come, whatever the header claims.  Errors: corrupt (with the offset), too_large,
  // out_of_memory.
  static result<redisbloom_chain> from_header(
      std::span<const std::byte> header, std::uint64_t max_bytes = no_limit) noexcept;

  redisbloom_chain(redisbloom_chain&&) noexcept;
  redisbloom_chain& operator=(redisbloom_chain&&) noexcept;
  ~redisbloom_chain();

  // --- lookups ---
  // While bits are missing (is_loaded) all keys are possibly present.
  bool may_contain(std::string_view key) const noexcept;
  // REQUIRES: out.size() == keys.size()
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept;

  // --- inserts ---
  // True: the key was definitely not present before, and is counted.  False: some link
  // has it, and nothing has changed.  Errors, and nothing has changed: full (the chain
  // does not grow), unattainable, unsupported (more hashes than can be set; bits are
  // missing), too_large (it would grow beyond max_bytes), out_of_memory.
  result<bool> insert_if_absent(std::string_view key,
                                std::uint64_t max_bytes = no_limit) noexcept;

  struct inserted {
    std::size_t keys;              // tried with success: absent[0 .. keys) are written
    std::optional<error> refused;  // why the next was not
  };
  // In order, up to the first that is refused.  REQUIRES: absent.size() == keys.size()
  inserted insert_if_absent(std::span<const std::string_view> keys,
                            std::span<bool> absent,
                            std::uint64_t max_bytes = no_limit) noexcept;

  // --- dumps ---
  std::size_t header_size() const noexcept;
  // REQUIRES: out.size() == header_size()
  void encode_header(std::span<std::byte> out) const noexcept;
  // The bits from `offset` of all links one after the other to the end of their link, or
  // of what has been loaded.  Empty: there are none.
  std::span<const std::byte> bytes_at(std::uint64_t offset) const noexcept;
  // Bits of one link, as bytes_at gave them; in order, from the first.  Bits that are
  // loaded again are joined (OR): what was inserted since stays.
  // Errors: invalid_argument (it begins behind what is loaded, or ends behind its link),
  // out_of_memory; nothing has changed.
  result<void> load(std::uint64_t offset, std::span<const std::byte> bits) noexcept;
  bool is_loaded() const noexcept { return loaded_ == bytes_; }
  std::uint64_t loaded_bytes() const noexcept { return loaded_; }
  // A copy.  Errors: out_of_memory.
  result<redisbloom_chain> clone() const noexcept;

  // --- what it is ---
  struct link_facts {
    std::uint64_t bytes, bits, keys, capacity;
    double fpr;  // by design
    std::uint32_t hashes;
  };
  std::size_t links() const noexcept;
  link_facts link(std::size_t i) const noexcept;         // REQUIRES: i < links()
  std::uint64_t keys() const noexcept { return size_; }  // counted
  std::uint64_t capacity() const noexcept;
  std::uint64_t size_in_bytes() const noexcept { return bytes_; }  // the bits
  std::uint32_t growth() const noexcept { return growth_; }
  bool grows() const noexcept;
  unsigned hash_bits() const noexcept;  // 64; 32 in old data
  // The current rate, from the bits of all links.
  double realised_fpr() const noexcept;

  // What it takes of its source, itself not included.
  std::size_t allocated_bytes() const noexcept;
  // Moves piece `i` of its memory, i < links() + 1 (pages::relocate).
  bool relocate(std::size_t i, void* (*move)(void* memory, void* context) noexcept,
                void* context) noexcept;

 private:
  struct part;  // a link and its bits

  redisbloom_chain(std::uint32_t flags, std::uint32_t growth) noexcept;
  result<void> grow(std::uint64_t max_bytes) noexcept;
  result<bool> insert_hashed(std::uint64_t a, std::uint64_t b,
                             std::uint64_t max_bytes) noexcept;
  bool has_below(std::size_t links, std::uint64_t a, std::uint64_t b) const noexcept;
  std::uint64_t loaded_in(std::size_t i) const noexcept;

  page_list<part> parts_;
  std::uint32_t flags_, growth_;
  std::uint64_t size_ = 0, bytes_ = 0, loaded_ = 0;
};

}  // namespace bloomery::inline v1
