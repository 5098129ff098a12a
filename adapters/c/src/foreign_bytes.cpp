// Filters of other systems to bytes, and into containers.
#include <utility>

#include <bloomery/container.hpp>

#include "foreign.hpp"
#include "notes.hpp"

using namespace bloomery::c_abi;
using bloomery::result;

namespace {

result<bloomery_buffer> as_buffer(result<bloomery::pages> bytes) noexcept {
  if (!bytes) return bytes.error();
  return bloomery_buffer{*std::move(bytes)};
}

}  // namespace

bloomery_status bloomery_foreign_encode(const bloomery_foreign* filter,
                                        const char* variant, bloomery_buffer** buffer,
                                        bloomery_error* error) {
  return make_handle(buffer, error, [&]() -> result<bloomery_buffer> {
    if (filter == nullptr) return null_argument();
    return as_buffer(filter->filter.encode(variant == nullptr ? "" : variant));
  });
}

bloomery_status bloomery_foreign_save(const bloomery_foreign* filter, const char* path,
                                      bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || path == nullptr) return null_argument();
    return filter->filter.save(path);
  });
}

bloomery_status bloomery_foreign_unwrap(const void* data, std::size_t size,
                                        const bloomery_read_options* options,
                                        bloomery_foreign** filter,
                                        bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_foreign> {
    if (!is_readable(data, size)) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    bloomery::read_report report;
    auto f = bloomery::decode_wrapped(std::as_bytes(std::span(text_of(data, size))),
                                      o->options(), &report);
    return as_handle(std::move(f), report.damaged_chunks);
  });
}

bloomery_status bloomery_foreign_load_wrapped(const char* path,
                                              const bloomery_read_options* options,
                                              bloomery_foreign** filter,
                                              bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_foreign> {
    if (path == nullptr) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    bloomery::read_report report;
    auto f = bloomery::load_wrapped(path, o->options(), &report);
    return as_handle(std::move(f), report.damaged_chunks);
  });
}

bloomery_status bloomery_foreign_wrap(const bloomery_foreign* filter,
                                      const bloomery_write_options* options,
                                      bloomery_buffer** buffer, bloomery_error* error) {
  return make_handle(buffer, error, [&]() -> result<bloomery_buffer> {
    if (filter == nullptr) return null_argument();
    const auto notes = notes_of(options);
    if (!notes) return notes.error();
    return as_buffer(encode_wrapped(filter->filter, *notes));
  });
}

bloomery_status bloomery_foreign_save_wrapped(const bloomery_foreign* filter,
                                              const bloomery_write_options* options,
                                              const char* path, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || path == nullptr) return null_argument();
    const auto notes = notes_of(options);
    if (!notes) return notes.error();
    return save_wrapped(filter->filter, path, *notes);
  });
}
