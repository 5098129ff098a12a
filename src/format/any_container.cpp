#include <bloomery/any_filter.hpp>

#include "format/container/reader.hpp"

namespace bloomery::inline v1 {
namespace {

// read(type) of the kind that the facts name.
template <class Read>
result<any_filter> of_kind(const result<container_facts>& facts, Read read) noexcept {
  if (!facts) return facts.error();
  if (!is_filter(facts->kind))
    return error{errc::incompatible, "a container of another kind of filter", 10};
  return with_kind(facts->kind,
                   [&]<class F>(std::type_identity<F> type) -> result<any_filter> {
                     auto f = read(type);
                     if (!f) return f.error();
                     return any_filter(*std::move(f));
                   });
}

}  // namespace

result<any_filter> load_any(const input_file& file, const read_options& o,
                            read_report* report) noexcept {
  return of_kind(inspect(file), [&]<class F>(std::type_identity<F>) {
    return load_container<F>(file, o, report);
  });
}

result<any_filter> load_any(path_ref path, const read_options& o,
                            read_report* report) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load_any(*file, o, report));
}

result<any_filter> decode_any(std::span<const std::byte> bytes, const read_options& o,
                              read_report* report) noexcept {
  const auto head = bytes.first(std::min(bytes.size(), container_header_size));
  return of_kind(inspect(head, bytes.size()), [&]<class F>(std::type_identity<F>) {
    return decode_container<F>(bytes, o, report);
  });
}

result<pages> encode_any(const any_filter& f, const write_notes& notes) noexcept {
  return f.visit([&](const auto& own) { return encode_container(own, notes); });
}

result<void> save_any(const any_filter& f, path_ref path,
                      const write_notes& notes) noexcept {
  return f.visit([&](const auto& own) { return save_container(own, path, notes); });
}

}  // namespace bloomery::inline v1
