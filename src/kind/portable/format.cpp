// The portable dialect: the bare bytes every language reads and writes.
//
//    0  u32  k, number of hashes, at least 1
//    4  u64  m, number of bits, at least 1
//   12  ..   ceil(m / 8) bytes, bit i at byte i / 8, bit i % 8
//
// Little-endian.  No magic, no checksum: the caller must know what the file is.
#include <bloomery/portable_bloom.hpp>

#include <array>
#include <cstring>

#include <bloomery/detail/kind/portable/format.hpp>

#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/file.hpp"

namespace bloomery::inline v1 {

result<bloom_layout> inspect_portable(std::span<const std::byte> head,
                                      std::uint64_t file_size) noexcept {
  base::byte_reader in(head);
  const auto hashes = in.read<std::uint32_t>();
  const auto bits = in.read<std::uint64_t>();
  if (!in.ok() || file_size < portable_header_size)
    return error{errc::corrupt, "shorter than the 12-byte header of a portable filter",
                 head.size(), static_cast<double>(portable_header_size),
                 static_cast<double>(head.size())};
  if (hashes == 0) return error{errc::corrupt, "the number of hashes (k) is 0", 0};
  if (bits == 0) return error{errc::corrupt, "the number of bits (m) is 0", 4};
  // Believe m only once the bytes it promises are there.
  const std::uint64_t body = base::bytes_for_bits(bits);
  const std::uint64_t found = file_size - portable_header_size;
  if (found < body)
    return error{errc::corrupt, "truncated: fewer bytes than the header's m needs",
                 file_size, static_cast<double>(body), static_cast<double>(found)};
  if (found > body)
    return error{errc::corrupt, "trailing bytes after the header's m bits",
                 portable_header_size + body, static_cast<double>(body),
                 static_cast<double>(found)};
  return bloom_layout{bits, hashes};
}

std::array<std::byte, portable_header_size> portable_header(
    bloom_layout layout) noexcept {
  std::array<std::byte, portable_header_size> head;
  base::byte_writer out(head);
  out.write(layout.hashes);
  out.write(layout.bits);
  return head;
}

namespace {

// The bytes cannot say what keys are, and who reads them takes them for bytes.
result<void> check_source(key_source source) noexcept {
  if (source != key_source::bytes)
    return error{
        errc::unsupported,
        "the portable bytes cannot say that keys are not bytes: write a container"};
  return {};
}

}  // namespace

result<portable_bloom> portable_bloom::decode(std::span<const std::byte> bytes,
                                              key_source source) noexcept {
  const auto layout = inspect_portable(bytes, bytes.size());
  if (!layout) return layout.error();
  auto filter = make(*layout, 0, source);
  if (!filter) return filter.error();
  const auto body = bytes.subspan(portable_header_size);
  std::memcpy(filter->store_.data(), body.data(), body.size());
  return filter;
}

result<pages> portable_bloom::encode() const noexcept {
  if (auto ok = check_source(hasher().source()); !ok) return ok.error();
  auto out = pages::make(portable_header_size + store_.size());
  if (!out) return out;
  base::byte_writer writer(out->bytes());
  writer.write(portable_header({bits(), hashes_}));
  writer.write(store_.bytes());
  return out;
}

result<portable_bloom> portable_bloom::load(path_ref path, key_source source) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load(*file, source));
}

result<portable_bloom> portable_bloom::load(const input_file& file,
                                            key_source source) noexcept {
  std::array<std::byte, portable_header_size> head;
  const auto got = file.read_at(0, head);
  if (!got) return got.error();
  const auto layout = inspect_portable(std::span(head).first(*got), file.size());
  if (!layout) return layout.error();
  auto filter = make(*layout, 0, source);
  if (!filter) return filter.error();
  const auto body = file.read_at(portable_header_size, filter->store_.bytes());
  if (!body) return body.error();
  if (*body != filter->store_.size())
    return error{errc::corrupt, "the file shrank while it was read",
                 portable_header_size + *body, static_cast<double>(filter->store_.size()),
                 static_cast<double>(*body)};
  return filter;
}

result<void> portable_bloom::save(path_ref path,
                                  const input_file* replaces) const noexcept {
  if (auto ok = check_source(hasher().source()); !ok) return ok;
  const auto head = portable_header({bits(), hashes_});
  const std::array<std::span<const std::byte>, 2> parts{head, store_.bytes()};
  return detail::of_file(path,
                         format::write_atomically(path.c_str(), parts, {}, replaces));
}

}  // namespace bloomery::inline v1
