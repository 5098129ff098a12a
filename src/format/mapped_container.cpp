#include "format/mapped_container.hpp"

#include <fcntl.h>

#include <cerrno>

#include "base/crc32c.hpp"
#include "format/container/header.hpp"
#include "format/file_stamp.hpp"
#include "format/replacement_file.hpp"

namespace bloomery::format {
namespace {

// Bytes after the last bit that are not zero, in a chunk that says it is as written.
result<void> check_padding(const opened_container& c,
                           std::span<const std::byte> payload) noexcept {
  const auto used = static_cast<std::size_t>(c.facts.payload_bytes);
  if (all_zero(payload.subspan(used))) return {};
  const std::uint64_t last = c.facts.chunks() - 1;
  if (base::crc32c(payload.subspan(
          static_cast<std::size_t>(last << c.facts.chunk_log))) != c.checksum(last))
    return {};
  return error{errc::corrupt, "padding after the payload is not zero",
               c.facts.payload_at + used};
}

}  // namespace

result<mapped_container> map_container(const input_file& input, const read_options& o,
                                       container_kind kind, damage_rule rule) noexcept {
  const container_source from(input);
  auto c = open_container(from, o);
  if (!c) return c.error();
  const container_facts& f = c->facts;
  const bool is_copy = from.size() <= o.copy_up_to;
  auto file = is_copy ? read_whole(input, o.copy_up_to)
                      : pages::map(input.fd(), static_cast<std::size_t>(from.size()));
  if (!file) return file.error();
  // Chunks that do not match the table would be "damaged"; "changed" says more.
  if (is_copy && change_since(input.stamp(), input.fd()) == file_change::contents)
    return error{errc::corrupt, "the file was changed while it was read"};
  const auto payload = file->bytes().subspan(static_cast<std::size_t>(f.payload_at),
                                             static_cast<std::size_t>(f.padded_bytes()));
  if (f.kind == kind) {
    if (const auto h = hasher_of(f, o); !h) return h.error();
    if (auto ok = check_padding(*c, payload); !ok) return ok.error();
  }
  chunk_guard::mapped_file watched;
  if (!is_copy) {
    watched = {::fcntl(input.fd(), F_DUPFD_CLOEXEC, 0), file->bytes(), input.stamp(),
               f.tail_at() + 8 * f.sentinels};
    if (watched.fd < 0) return io_error("cannot keep the file open", errno);
  }
  auto guard = chunk_guard::make(payload, f.payload_bytes, c->checksums(), watched, rule);
  if (!guard) return guard.error();
  return mapped_container{f, *std::move(file), std::move(c->tail), *std::move(guard)};
}

}  // namespace bloomery::format
