// The index of a RocksDB table over the partitions of its filter: a block of entries,
// each a key that none of the partition exceeds and the place of the partition.
//
// Keys share their beginnings with the key before, but for those of restarts, every
// `step` entries.  Since format 4 the place behind a key that shares bytes is only the
// difference of its size to that of the place before, as a zigzag varint: partitions
// follow one another.  Nothing is decoded in advance: a lookup bisects the restarts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/dialect/table_block.hpp"

namespace bloomery::format {

class rocksdb_partitions {
 public:
  struct form {
    bool keys_have_sequence = true, sizes_are_deltas = false;
    // The order of keys; by an unknown one no partition is found by a key.
    enum : std::uint8_t { ascending, descending, unknown } order = ascending;
    std::uint64_t step = 1;  // entries per restart; at least 1
  };

  // One entry after the other.
  class walk {
   public:
    walk(std::span<const std::byte> entries, const form& f) noexcept
        : in_(entries), form_(f) {}

    bool next() noexcept;  // false: the end, or `broken`
    bool broken() const noexcept { return broken_; }
    block_place place() const noexcept { return place_; }
    std::uint64_t shared() const noexcept { return shared_; }
    std::span<const std::byte> rest() const noexcept { return rest_; }
    std::size_t offset() const noexcept { return in_.offset(); }
    bool ended() const noexcept { return in_.left() == 0; }

   private:
    bool failed() noexcept {
      broken_ = true;
      return false;
    }

    base::byte_reader in_;
    form form_;
    block_place place_;
    std::uint64_t shared_ = 0, length_ = 0;
    std::span<const std::byte> rest_;
    bool broken_ = false;
  };

  rocksdb_partitions(std::span<const std::byte> block, const form& f) noexcept
      : block_(block), all_(entries_of(block)), form_(f) {}

  bool is_whole() const noexcept { return all_.whole; }
  walk entries() const noexcept { return {all_.bytes, form_}; }

  // Entries per restart, if the restarts are every so many of the `count` entries; 0 if
  // they are not.
  std::uint64_t step_of(std::uint64_t count) const noexcept;

  // The place of partition i, and the first bytes of its key, without the sequence.
  // REQUIRES: i is one of them, and the form has the step
  struct entry {
    block_place place;
    std::array<char, 64> key{};
    std::uint64_t key_length = 0;  // may be larger than the array
    bool ok = false;
  };
  entry at(std::uint64_t i) const noexcept;

  // The place of the partition that may hold the key: the first whose key it does not
  // exceed, or the last one.  REQUIRES: the order is known
  struct found {
    block_place place;
    bool ok = false;
  };
  found find(std::string_view key) const noexcept;

 private:
  std::uint64_t restart(std::uint64_t r) const noexcept;
  walk from_restart(std::uint64_t r) const noexcept;

  std::span<const std::byte> block_;
  block_entries all_;
  form form_;
};

}  // namespace bloomery::format
