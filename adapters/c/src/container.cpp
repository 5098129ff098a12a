#include <bloomery/container.hpp>

#include <span>

#include "handles.hpp"
#include "info.hpp"
#include "keys.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

static_assert(static_cast<int>(container_kind::foreign) == BLOOMERY_KIND_FOREIGN);
static_assert(static_cast<int>(container_kind::packed) == BLOOMERY_KIND_PACKED);
static_assert(static_cast<int>(container_kind::packed_static) ==
              BLOOMERY_KIND_PACKED_STATIC);

}  // namespace

bloomery_container container_of(const read_report& r) noexcept {
  const container_facts& f = r.facts;
  bloomery_container to{};
  to.version = f.version;
  to.kind = static_cast<std::uint32_t>(f.kind);
  to.member = static_cast<std::uint32_t>(f.member);
  to.profile = static_cast<std::uint32_t>(f.profile);
  to.flags = f.flags;
  to.hash_id = static_cast<std::uint32_t>(f.hash);
  to.hashes = f.hashes;
  to.seed = f.seed;
  to.hash_check = f.hash_check;
  to.units = f.units;
  to.capacity = f.capacity;
  to.keys = f.keys;
  to.asked_fpr = f.asked_fpr;
  to.ones = f.ones;
  to.sentinels = f.sentinels;
  to.chunk_bytes = std::uint32_t{1} << f.chunk_log;
  to.chunks = f.chunks();
  to.payload_at = f.payload_at;
  to.payload_bytes = f.payload_bytes;
  to.notes_bytes = f.notes_bytes;
  to.file_bytes = f.file_bytes();
  to.damaged_chunks = r.damaged_chunks;
  to.first_damage_at = r.first_damage_at;
  to.source = static_cast<std::uint32_t>(f.source);
  return to;
}

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

int bloomery_container_has_magic(const void* head, std::size_t size) {
  if (!is_readable(head, size)) return wrong_call;
  return bloomery::has_container_magic(std::as_bytes(std::span(text_of(head, size))));
}

bloomery_status bloomery_container_inspect(const void* head, std::size_t size,
                                           std::uint64_t file_size,
                                           bloomery_container* container,
                                           bloomery_error* error) {
  return fill_struct(container, error, [&]() -> result<bloomery_container> {
    if (!is_readable(head, size)) return null_argument();
    if (size > file_size || (size < file_size && size < bloomery::container_header_size))
      return bloomery::error{bloomery::errc::invalid_argument,
                             "the head is the first 128 bytes of the file, or all of it"};
    const auto facts =
        bloomery::inspect(std::as_bytes(std::span(text_of(head, size))), file_size);
    if (!facts) return facts.error();
    return container_of({*facts, 0, 0});
  });
}

bloomery_status bloomery_container_inspect_file(const char* path,
                                                bloomery_container* container,
                                                bloomery_error* error) {
  return fill_struct(container, error, [&]() -> result<bloomery_container> {
    if (path == nullptr) return null_argument();
    const auto facts = bloomery::inspect(path);
    if (!facts) return facts.error();
    return container_of({*facts, 0, 0});
  });
}

bloomery_status bloomery_container_verify(const char* path, bloomery_container* container,
                                          bloomery_error* error) {
  return fill_struct(container, error, [&]() -> result<bloomery_container> {
    if (path == nullptr) return null_argument();
    const auto report = bloomery::verify_container(path);
    if (!report) return report.error();
    return container_of(*report);
  });
}

bloomery_status bloomery_filter_container(const bloomery_filter* filter,
                                          bloomery_container* container) {
  return fill_struct(container, nullptr, [&]() -> result<bloomery_container> {
    if (filter == nullptr) return null_argument();
    if (!filter->read)
      return bloomery::error{bloomery::errc::invalid_argument,
                             "not read from a container"};
    return container_of(*filter->read);
  });
}
