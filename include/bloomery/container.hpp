// The native file format: a filter, its parameters, and checksums.  Lookups in damaged
// parts answer "possibly present", never a false negative.  spec/container.md has the
// bytes.
//
//   bloomery::inspect("users.bloom")                    header only, nothing allocated
//   bloomery::load_container<block_bloom>("users.bloom")  a verified copy
//   bloomery::filter_view<block_bloom>::open(...)         mapped, verified when touched
//
// Every filter's own save, load, encode and decode use it, but for portable_bloom, whose
// are the bare bytes every language reads; these functions put that one into a container.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/file_calls.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/portable/format.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/progress.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline constexpr std::size_t container_header_size = 128;

// What a header says, once its checksum and the length of the file agree with it.
struct container_facts {
  std::uint16_t version = 1;
  container_kind kind{};
  container_kind member{};                         // of a packed set; else as kind
  block_profile profile = block_profile::by_rate;  // of block kinds
  std::uint32_t flags = 0;
  hash_id hash = hash_id::xxh3;
  std::uint64_t seed = 0;
  std::uint64_t hash_check = 0;  // of keyed hashes, the id of the secret
  std::uint32_t hashes = 0;      // k
  std::uint64_t units = 0;       // bits, blocks, or members
  double asked_fpr = 0;          // 0: not recorded
  std::uint64_t capacity = 0;    // 0: not recorded
  std::uint64_t keys = 0;        // distinct keys its builder counted; 0: unknown
  std::uint64_t ones = 0;        // bits set when it was written
  unsigned sentinels = 0;
  unsigned chunk_log = 12;
  std::uint64_t payload_at = 0, payload_bytes = 0;
  std::uint32_t notes_bytes = 0;
  std::array<std::byte, 24> parameters{};  // of the kind, as its row says

  // What keys are, by a note: known once the file is read, not from the header alone.
  key_source source = key_source::bytes;
  std::uint64_t source_at = 0;  // where the note lies; 0: there is none

  std::uint64_t padded_bytes() const noexcept { return (payload_bytes + 63) / 64 * 64; }
  std::uint64_t chunks() const noexcept {
    return (padded_bytes() + (std::uint64_t{1} << chunk_log) - 1) >> chunk_log;
  }
  std::uint64_t tail_at() const noexcept { return payload_at + padded_bytes(); }
  std::uint64_t tail_bytes() const noexcept {
    return 8 * std::uint64_t{sentinels} + 4 * chunks() + notes_bytes + 4;
  }
  std::uint64_t file_bytes() const noexcept { return tail_at() + tail_bytes(); }
  bool is_keyed() const noexcept { return hash == hash_id::siphash13; }
};

// REQUIRES: head holds the first 128 bytes of the file, or all if there are fewer.
// Errors: corrupt, unsupported (a version, kind, flag or hash this build does not know).
BLOOMERY_EXPORT result<container_facts> inspect(std::span<const std::byte> head,
                                                std::uint64_t file_size) noexcept;
// Errors: as above, io.
BLOOMERY_EXPORT result<container_facts> inspect(const input_file& file) noexcept;
BLOOMERY_EXPORT result<container_facts> inspect(path_ref path) noexcept;

// Whether bytes begin as a container does, whatever follows.
BLOOMERY_EXPORT bool has_container_magic(std::span<const std::byte> head) noexcept;

// How a container is read.
struct read_options {
  const hasher::secret* secret = nullptr;  // of a keyed hash; it is never in the file
  std::uint64_t max_bytes = ~std::uint64_t{0};  // refuse a larger payload
  // The source of the keys to look up.  A file that records another source is refused; of
  // one without a record this is assumed.  None: what the file records, or bytes; check
  // the filter's hasher().source() before you hash for it.
  std::optional<key_source> source = key_source::bytes;
  // Views (filter_view, packed_set) of files up to this size are copies in memory, not
  // mappings: other processes cannot change them.  Reading 4 MiB takes about a
  // millisecond.
  std::uint64_t copy_up_to = 0;
};

// What was found while a container was read.
struct read_report {
  container_facts facts;
  std::uint64_t damaged_chunks = 0;  // of facts.chunks(); they answer "possibly present"
  std::uint64_t first_damage_at = 0;
};

// What a builder knows and a filter does not: recorded in the file.
struct write_notes {
  double asked_fpr = 0;
  std::uint64_t keys = 0;  // distinct keys, counted
  std::span<const key>
      sentinels{};           // the smallest of all keys' hashes, ascending; at most 8
  progress_call progress{};  // called with the bytes written and the total
  // Save only if `path` is still this file, unmodified since it was opened: checked after
  // everything is on disk, just before the rename.  Otherwise io (ESTALE).
  const input_file* replaces = nullptr;
};

// F: any filter of kinds.hpp.  Lookups in a damaged chunk answer "possibly present" (the
// kind's damage rule), and the report counts it; a damaged header, table or length is an
// error.
// Errors: corrupt, unsupported, incompatible (another kind; a secret is missing or
// wrong; keys of another source), too_large, out_of_memory, io.
template <class F>
result<F> load_container(const input_file& file, const read_options& o = {},
                         read_report* report = nullptr) noexcept;
template <class F>
result<F> load_container(path_ref path, const read_options& o = {},
                         read_report* report = nullptr) noexcept;
template <class F>
result<F> decode_container(std::span<const std::byte> bytes, const read_options& o = {},
                           read_report* report = nullptr) noexcept;

// The same filter and notes always give the same bytes.
// Errors: corrupt (bytes of the filter are damaged, and its kind cannot count them as
// set), invalid_argument (notes that a reader would refuse: a rate outside [0, 1),
// sentinels that are not in the filter), out_of_memory.
template <class F>
result<pages> encode_container(const F& f, const write_notes& notes = {}) noexcept;
// Atomic and durable; takes memory for the checksums only, a thousandth of the filter.
// Errors: as encode_container, io.
template <class F>
result<void> save_container(const F& f, path_ref path,
                            const write_notes& notes = {}) noexcept;

// The size of that file in bytes.  Constant time.  Errors: as encode_container.
template <class F>
result<std::uint64_t> container_size(const F& f, const write_notes& notes = {}) noexcept;

// Those of a container whose tail is intact, and their number.  Errors: as inspect, io.
struct sentinel_keys {
  std::array<key, 8> keys;
  unsigned count = 0;
  std::span<const key> all() const noexcept { return {keys.data(), count}; }
};
BLOOMERY_EXPORT result<sentinel_keys> read_sentinels(const input_file& file) noexcept;

// Another system's bytes in a container: they gain checksums, and come back as they were.
BLOOMERY_EXPORT result<foreign_filter> load_wrapped(
    const input_file& file, const read_options& o = {},
    read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<foreign_filter> load_wrapped(
    path_ref path, const read_options& o = {}, read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<foreign_filter> decode_wrapped(
    std::span<const std::byte> bytes, const read_options& o = {},
    read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<pages> encode_wrapped(const foreign_filter& f,
                                             const write_notes& notes = {}) noexcept;
BLOOMERY_EXPORT result<void> save_wrapped(const foreign_filter& f, path_ref path,
                                          const write_notes& notes = {}) noexcept;

// Reads every byte of a container of any kind and checks every checksum, the padding and
// the number of ones.  Memory: a thousandth of the file.  A damaged chunk is no error but
// damaged_chunks.  Errors: as inspect, out_of_memory, io.
BLOOMERY_EXPORT result<read_report> verify_container(
    const input_file& file, progress_call progress = {}) noexcept;
BLOOMERY_EXPORT result<read_report> verify_container(
    path_ref path, progress_call progress = {}) noexcept;

// Written once for all kinds, behind the filter's number.
namespace detail {

// Where a container's bytes come from: a file, or memory.
struct container_bytes {
  const input_file* file = nullptr;
  std::span<const std::byte> memory{};
};

// Makes the filter at `where`, if there is no error.
BLOOMERY_EXPORT result<void> read_filter(container_kind kind, container_bytes from,
                                         const read_options& o, read_report* report,
                                         void* where) noexcept;
BLOOMERY_EXPORT result<pages> encode_filter(container_kind kind, const void* filter,
                                            const write_notes& notes) noexcept;
BLOOMERY_EXPORT result<void> save_filter(container_kind kind, const void* filter,
                                         path_ref path,
                                         const write_notes& notes) noexcept;
BLOOMERY_EXPORT result<std::uint64_t> size_of_file(container_kind kind,
                                                   const void* filter,
                                                   const write_notes& notes) noexcept;

}  // namespace detail

template <class F>
result<F> load_container(const input_file& file, const read_options& o,
                         read_report* report) noexcept {
  return detail::made_in_place<F>([&](void* where) noexcept {
    return detail::read_filter(F::kind.number, {&file}, o, report, where);
  });
}
template <class F>
result<F> load_container(path_ref path, const read_options& o,
                         read_report* report) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load_container<F>(*file, o, report));
}
template <class F>
result<F> decode_container(std::span<const std::byte> bytes, const read_options& o,
                           read_report* report) noexcept {
  return detail::made_in_place<F>([&](void* where) noexcept {
    return detail::read_filter(F::kind.number, {nullptr, bytes}, o, report, where);
  });
}
template <class F>
result<pages> encode_container(const F& f, const write_notes& notes) noexcept {
  return detail::encode_filter(F::kind.number, &f, notes);
}
template <class F>
result<void> save_container(const F& f, path_ref path,
                            const write_notes& notes) noexcept {
  return detail::save_filter(F::kind.number, &f, path, notes);
}
template <class F>
result<std::uint64_t> container_size(const F& f, const write_notes& notes) noexcept {
  return detail::size_of_file(F::kind.number, &f, notes);
}

}  // namespace bloomery::inline v1
