#include "format/mapped_container.hpp"

#include <fcntl.h>

#include <cerrno>

#include "format/replacement_file.hpp"

namespace bloomery::format {

result<mapped_container> map_container(const char* path, const read_options& o) noexcept {
  auto input = input_file::open(path);
  if (!input) return input.error();
  const container_source from(*std::move(input));
  auto c = open_container(from, o);
  if (!c) return c.error();
  const container_facts& f = c->facts;
  auto file = pages::map(from.file()->fd(), static_cast<std::size_t>(from.size()));
  if (!file) return file.error();
  const auto payload = file->bytes().subspan(static_cast<std::size_t>(f.payload_at),
                                             static_cast<std::size_t>(f.padded_bytes()));
  const int fd = ::fcntl(from.file()->fd(), F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return io_error("cannot keep the file open", errno);
  auto guard =
      chunk_guard::make(payload, f.payload_bytes, c->checksums(), file->bytes(), fd);
  if (!guard) return guard.error();
  return mapped_container{f, *std::move(file), std::move(c->tail), *std::move(guard)};
}

}  // namespace bloomery::format
