// Thousands to millions of small filters in one file: one for every block of a table,
// every partition, every file.
//
//   auto out = bloomery::packed_writer::create("blocks.bloom");
//   for (...) out->add(filter_of_block);
//   out->finish();
//
//   auto set = bloomery::packed_set::open("blocks.bloom");
//   const bloomery::key k = set->hash("alice");
//   if (set->may_contain(block_number, k)) ...
//
// All members share one kind, profile and hasher; sizes differ.  Opening costs the same
// for ten members and ten million: the directory is part of the checked payload and is
// read where a lookup needs it.  Lookups in a damaged part answer "possibly present".
//
// Members are block filters, or filters of a kind that is only built (ribbon, fuse, xor).
// Each of the latter has 48 bytes in the directory instead of 8, a lookup first checks
// all bytes of its member, and damage to any of them affects all keys of that member.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/container.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/format/chunk_guard.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT packed_set {
 public:
  // Errors: as load_container.
  static result<packed_set> open(const input_file& file,
                                 const read_options& o = {}) noexcept;
  static result<packed_set> open(path_ref path, const read_options& o = {}) noexcept;

  std::uint64_t size() const noexcept { return facts_.units; }

  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return hasher_.hash(bytes);
  }
  key hash(std::nullptr_t) const = delete;
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return hasher_.hash_u64(x);
  }
  BLOOMERY_INLINE key from_hash(std::uint64_t h) const noexcept {
    return hasher_.from_hash(h);
  }
  const bloomery::hasher& hasher() const noexcept { return hasher_; }

  // Whether member `i` may contain the key.  A member without blocks contains nothing.
  // REQUIRES: i < size()
  bool may_contain(std::uint64_t i, key k) const noexcept;
  bool may_contain(std::uint64_t i, std::string_view bytes) const noexcept {
    return may_contain(i, hash(bytes));
  }
  // Member i + j against the key, for each j: bit j % 64 of word j / 64; the bits after
  // the last are 0.  REQUIRES: first + count <= size(), 64 * out.size() >= count
  void may_contain(std::uint64_t first, std::uint64_t count, key k,
                   std::span<std::uint64_t> out) const noexcept;

  // Bytes of member i; 0 also where the directory is damaged.
  std::uint64_t member_bytes(std::uint64_t i) const noexcept;

  std::uint64_t verify_all(unsigned threads = 1) const noexcept {
    guard_.check_all(threads);
    return guard_.damaged();
  }
  bool is_verified() const noexcept { return guard_.all_checked(); }
  std::uint64_t damaged_chunks() const noexcept { return guard_.damaged(); }
  // As filter_view::unchanged.
  bool unchanged() const noexcept { return guard_.unchanged(); }
  // As filter_view::mapping.
  std::span<const std::byte> mapping() const noexcept { return guard_.mapping(); }
  const container_facts& facts() const noexcept { return facts_; }

 private:
  packed_set(const container_facts& facts, const bloomery::hasher& h, pages file,
             pages tail, chunk_guard guard) noexcept
      : facts_(facts),
        hasher_(h),
        file_(std::move(file)),
        tail_(std::move(tail)),
        guard_(std::move(guard)) {}
  bool is_static() const noexcept { return facts_.kind == container_kind::packed_static; }
  // Sets `member` to what a header of member i of a static set would say; payload_at is
  // within the payload of the set.  False: the directory is damaged there.
  bool find_static(std::uint64_t i, container_facts& member) const noexcept;
  bool static_may_contain(std::uint64_t i, key k) const noexcept;
  // Blocks [first, last) of member i; false: the directory is damaged there.
  bool find(std::uint64_t i, std::uint64_t& first, std::uint64_t& last) const noexcept;

  container_facts facts_;
  bloomery::hasher hasher_;
  pages file_;
  pages tail_;
  chunk_guard guard_;
};

// What a set can have as members: filters of blocks, and those that are only built.
template <class F>
concept packable = listed_filter<F> &&
    (std::derived_from<F, block_storage> || build_only<F>);

// Writes a set as its members come: memory for the directory and the checksums only.
class BLOOMERY_EXPORT packed_writer {
 public:
  // The file appears when `finish` returns; until then, and if it never does, the old one
  // stays.  Errors: io, out_of_memory, invalid_argument (no regular file).
  static result<packed_writer> create(path_ref path) noexcept;
  packed_writer(packed_writer&& other) noexcept;
  packed_writer& operator=(packed_writer&& other) noexcept;
  ~packed_writer();

  // The next member.  Errors: incompatible (another kind, profile or hasher than the
  // first), io, out_of_memory.  After one of the last two the set cannot be finished.
  template <std::derived_from<block_storage> F>
  result<void> add(const F& member) noexcept {
    return add_member(member, F::kind.number);
  }
  // Errors: also corrupt (bytes of the member are damaged).
  template <build_only F>
  requires listed_filter<F> result<void> add(const F& member)
  noexcept { return add_static(&member, F::kind.number); }

  // Errors: invalid_argument (no members, or finished before), io, out_of_memory.
  result<void> finish(const write_notes& notes = {}) noexcept;

  std::uint64_t size() const noexcept;

 private:
  struct state;
  explicit packed_writer(state* s) noexcept : state_(s) {}
  result<void> add_member(const block_storage& member, container_kind kind) noexcept;
  result<void> add_static(const void* member, container_kind kind) noexcept;

  state* state_;
};

}  // namespace bloomery::inline v1
