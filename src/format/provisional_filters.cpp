// encode, decode, save and load of the kinds that are stored provisionally.
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <cstring>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "format/file.hpp"
#include "format/provisional.hpp"

namespace bloomery::inline v1 {
namespace {

using format::provisional_header;
using format::provisional_header_size;

provisional_header header_of(const block_bloom& f) noexcept {
  return {provisional_kind::block,
          static_cast<std::uint8_t>(f.profile()),
          f.hashes(),
          f.shape().blocks,
          f.capacity(),
          f.hasher()};
}
provisional_header header_of(const split_block_bloom& f) noexcept {
  return {provisional_kind::split_block,
          static_cast<std::uint8_t>(block_profile::split),
          f.hashes(),
          f.shape().blocks,
          f.capacity(),
          f.hasher()};
}
provisional_header header_of(const bloom& f) noexcept {
  return {provisional_kind::bloom, 0, f.hashes(), f.bits(), f.capacity(), f.hasher()};
}

// --- from a header to an empty filter; the size is checked before memory is taken
// ---------

result<void> check_blocks(const provisional_header& h, block_shape shape,
                          std::uint64_t file_size) noexcept {
  if (shape.blocks == 0 || shape.blocks > shape.most_blocks())
    return error{errc::corrupt, "an impossible number of blocks", 16};
  if (h.hashes != shape.hashes())
    return error{errc::corrupt, "the number of hashes is not the profile's", 12};
  return format::check_size(file_size, shape.size_in_bytes());
}

result<block_bloom> make_from(const provisional_header& h, std::uint64_t file_size,
                              const block_bloom*) noexcept {
  if (h.kind != provisional_kind::block)
    return error{errc::corrupt, "not a block filter", 8};
  if (h.profile < 1 || h.profile > 3)
    return error{errc::corrupt, "an unknown profile", 9};
  const block_shape shape{h.units, static_cast<block_profile>(h.profile)};
  if (auto ok = check_blocks(h, shape, file_size); !ok) return ok.error();
  return block_bloom::make(shape, h.capacity, h.hash);
}

result<split_block_bloom> make_from(const provisional_header& h, std::uint64_t file_size,
                                    const split_block_bloom*) noexcept {
  const block_shape shape{h.units, block_profile::split};
  if (h.kind != provisional_kind::split_block ||
      h.profile != static_cast<std::uint8_t>(block_profile::split))
    return error{errc::corrupt, "not a split-block filter", 8};
  if (!(h.hash == hasher::xxh64()))
    return error{errc::corrupt, "a split-block filter hashes with XXH64 and seed 0", 10};
  if (auto ok = check_blocks(h, shape, file_size); !ok) return ok.error();
  return split_block_bloom::make(h.units, h.capacity);
}

result<bloom> make_from(const provisional_header& h, std::uint64_t file_size,
                        const bloom*) noexcept {
  if (h.kind != provisional_kind::bloom || h.profile != 0)
    return error{errc::corrupt, "not a classic filter", 8};
  if (h.units == 0 || h.units > bloom_probe::max_bits)
    return error{errc::corrupt, "an impossible number of bits", 16};
  if (auto ok = format::check_size(file_size, base::bytes_for_bits(h.units)); !ok)
    return ok.error();
  auto made = bloom::make(bloom_layout{h.units, h.hashes}, h.capacity, h.hash);
  if (!made && made.error().code != errc::out_of_memory)
    return error{errc::corrupt, "an impossible number of hashes", 12};
  return made;
}

// --- the four calls, once for all kinds; body(filter) is its writable bits
// ----------------

template <class F, class Body>
result<F> decode_as(std::span<const std::byte> bytes, Body body) noexcept {
  const auto h = format::decode_header(bytes);
  if (!h) return h.error();
  auto f = make_from(*h, bytes.size(), static_cast<const F*>(nullptr));
  if (!f) return f;
  std::memcpy(body(*f).data(), bytes.data() + provisional_header_size, body(*f).size());
  return f;
}

template <class F>
result<pages> encode_any(const F& f) noexcept {
  const auto head = format::encode_header(header_of(f));
  if (!head) return head.error();
  auto out = pages::make(head->size() + f.size_in_bytes());
  if (!out) return out;
  base::byte_writer writer(out->bytes());
  writer.write(*head);
  writer.write(f.bytes());
  return out;
}

template <class F, class Body>
result<F> load_as(const char* path, Body body) noexcept {
  auto file = format::input_file::open(path);
  if (!file) return file.error();
  std::array<std::byte, provisional_header_size> head;
  const auto got = file->read(head);
  if (!got) return got.error();
  const auto h = format::decode_header(std::span(head).first(*got));
  if (!h) return h.error();
  auto f = make_from(*h, file->size(), static_cast<const F*>(nullptr));
  if (!f) return f;
  const auto read = file->read(body(*f));
  if (!read) return read.error();
  if (*read != f->size_in_bytes())
    return error{errc::corrupt, "the file shrank while it was read",
                 provisional_header_size + *read, static_cast<double>(f->size_in_bytes()),
                 static_cast<double>(*read)};
  return f;
}

template <class F>
result<void> save_any(const F& f, const char* path) noexcept {
  const auto head = format::encode_header(header_of(f));
  if (!head) return head.error();
  const std::array<std::span<const std::byte>, 2> parts{*head, f.bytes()};
  return format::write_atomically(path, parts);
}

}  // namespace

result<block_bloom> block_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_as<block_bloom>(bytes, [](block_bloom& f) { return f.writable(); });
}
result<block_bloom> block_bloom::load(const char* path) noexcept {
  return load_as<block_bloom>(path, [](block_bloom& f) { return f.writable(); });
}
result<pages> block_bloom::encode() const noexcept { return encode_any(*this); }
result<void> block_bloom::save(const char* path) const noexcept {
  return save_any(*this, path);
}

result<split_block_bloom> split_block_bloom::decode(
    std::span<const std::byte> bytes) noexcept {
  return decode_as<split_block_bloom>(bytes,
                                      [](split_block_bloom& f) { return f.writable(); });
}
result<split_block_bloom> split_block_bloom::load(const char* path) noexcept {
  return load_as<split_block_bloom>(path,
                                    [](split_block_bloom& f) { return f.writable(); });
}
result<pages> split_block_bloom::encode() const noexcept { return encode_any(*this); }
result<void> split_block_bloom::save(const char* path) const noexcept {
  return save_any(*this, path);
}

result<bloom> bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_as<bloom>(bytes, [](bloom& f) { return f.store_.bytes(); });
}
result<bloom> bloom::load(const char* path) noexcept {
  return load_as<bloom>(path, [](bloom& f) { return f.store_.bytes(); });
}
result<pages> bloom::encode() const noexcept { return encode_any(*this); }
result<void> bloom::save(const char* path) const noexcept {
  return save_any(*this, path);
}

}  // namespace bloomery::inline v1
