// The calls of filters for containers without options (filter_of.hpp), for all kinds.
#include <bloomery/detail/filter/file_calls.hpp>

#include <bloomery/container.hpp>
#include <bloomery/detail/format/input_file.hpp>

namespace bloomery::inline v1::detail {

result<void> decode_filter(container_kind kind, std::span<const std::byte> bytes,
                           key_source source, void* where) noexcept {
  return read_filter(kind, {nullptr, bytes}, {.source = source}, nullptr, where);
}
result<void> load_filter(container_kind kind, path_ref path, key_source source,
                         void* where) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return of_file(path, read_filter(kind, {&*file}, {.source = source}, nullptr, where));
}
result<pages> encode_filter(container_kind kind, const void* filter) noexcept {
  return encode_filter(kind, filter, {});
}
result<void> save_filter(container_kind kind, const void* filter,
                         path_ref path) noexcept {
  return save_filter(kind, filter, path, {});
}

}  // namespace bloomery::inline v1::detail
