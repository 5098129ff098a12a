// Filters to bytes and files, and back.
#include <cstring>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>

#include "handles.hpp"
#include "notes.hpp"
#include "options.hpp"

namespace bloomery::c_abi {
namespace {

error unknown_form() noexcept { return {errc::unsupported, "no form of that number"}; }

std::span<const std::byte> bytes_of(const void* data, std::size_t size) noexcept {
  return std::as_bytes(std::span(text_of(data, size)));
}

// The name of a form beside the container; null for other numbers.
const char* name_of_form(std::uint32_t form) noexcept {
  switch (form) {
    case BLOOMERY_FORM_PORTABLE:
      return "portable";
    case BLOOMERY_FORM_BITSET:
      return "bitset";
    default:
      return nullptr;
  }
}

// body(notes) for a filter that has the form.
template <class Body>
result<void> with_form(const bloomery_filter* filter, std::uint32_t form,
                       const bloomery_write_options* options, Body body) {
  if (filter == nullptr) return null_argument();
  if (form != BLOOMERY_FORM_CONTAINER) {
    const char* const name = name_of_form(form);
    if (name == nullptr) return unknown_form();
    if (auto has = bare_size(filter->filter, name); !has) return has.error();
  }
  const auto notes = notes_of(options, filter->built);
  if (!notes) return notes.error();
  return body(*notes);
}

result<std::uint64_t> encoded_size(const any_filter& f, std::uint32_t form,
                                   const write_notes& notes) noexcept {
  if (form != BLOOMERY_FORM_CONTAINER) return bare_size(f, name_of_form(form));
  return f.visit([&](const auto& own) { return container_size(own, notes); });
}

result<pages> encoded(const any_filter& f, std::uint32_t form,
                      const write_notes& notes) noexcept {
  return form == BLOOMERY_FORM_CONTAINER ? encode_any(f, notes)
                                         : encode_bare(f, name_of_form(form));
}

// read(report): a container as a filter of any kind.
template <class Read>
result<bloomery_filter> of_container(Read read) {
  read_report report;
  auto f = read(&report);
  if (!f) return f.error();
  return bloomery_filter{*std::move(f), report};
}

result<bloomery_filter> decoded(std::uint32_t form, std::span<const std::byte> bytes,
                                const read_options& o) {
  if (form == BLOOMERY_FORM_CONTAINER)
    return of_container(
        [&](read_report* report) { return decode_any(bytes, o, report); });
  const char* const name = name_of_form(form);
  if (name == nullptr) return unknown_form();
  return as_handle<bloomery_filter>(
      decode_bare(name, bytes, o.source.value_or(key_source::bytes)));
}

result<bloomery_filter> loaded(std::uint32_t form, const char* path,
                               const read_options& o) {
  if (form == BLOOMERY_FORM_CONTAINER)
    return of_container([&](read_report* report) { return load_any(path, o, report); });
  const char* const name = name_of_form(form);
  if (name == nullptr || !find_form(name)->has_files()) return unknown_form();
  return as_handle<bloomery_filter>(
      load_bare(name, path, o.source.value_or(key_source::bytes)));
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::find_form;
using bloomery::result;
using bloomery::write_notes;

const void* bloomery_buffer_data(const bloomery_buffer* buffer) {
  return buffer == nullptr ? nullptr : buffer->bytes.data();
}

std::size_t bloomery_buffer_size(const bloomery_buffer* buffer) {
  return buffer == nullptr ? 0 : buffer->bytes.size();
}

void bloomery_buffer_free(bloomery_buffer* buffer) { delete buffer; }

bloomery_status bloomery_filter_encoded_size(const bloomery_filter* filter,
                                             std::uint32_t form,
                                             const bloomery_write_options* options,
                                             std::uint64_t* size, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (size == nullptr) return null_argument();
    return with_form(filter, form, options,
                     [&](const write_notes& notes) -> result<void> {
                       const auto needed = encoded_size(filter->filter, form, notes);
                       if (needed) *size = *needed;
                       return needed ? result<void>() : needed.error();
                     });
  });
}

bloomery_status bloomery_filter_encode_into(const bloomery_filter* filter,
                                            std::uint32_t form,
                                            const bloomery_write_options* options,
                                            void* memory, std::size_t capacity,
                                            std::size_t* size, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (size == nullptr || !is_readable(memory, capacity)) return null_argument();
    return with_form(
        filter, form, options, [&](const write_notes& notes) -> result<void> {
          const auto needed = encoded_size(filter->filter, form, notes);
          if (!needed) return needed.error();
          if (*needed > capacity)
            return bloomery::error{
                bloomery::errc::too_large, "the memory is too small for the bytes", 0,
                static_cast<double>(*needed), static_cast<double>(capacity)};
          const auto all = encoded(filter->filter, form, notes);
          if (!all) return all.error();
          if (all->size() != 0) std::memcpy(memory, all->data(), all->size());
          *size = static_cast<std::size_t>(*needed);
          return {};
        });
  });
}

bloomery_status bloomery_filter_encode(const bloomery_filter* filter, std::uint32_t form,
                                       const bloomery_write_options* options,
                                       bloomery_buffer** buffer, bloomery_error* error) {
  return make_handle(buffer, error, [&]() -> result<bloomery_buffer> {
    bloomery_buffer made;
    const auto done =
        with_form(filter, form, options, [&](const write_notes& notes) -> result<void> {
          auto bytes = encoded(filter->filter, form, notes);
          if (!bytes) return bytes.error();
          made.bytes = *std::move(bytes);
          return {};
        });
    if (!done) return done.error();
    return made;
  });
}

bloomery_status bloomery_filter_save(const bloomery_filter* filter, std::uint32_t form,
                                     const bloomery_write_options* options,
                                     const char* path, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (path == nullptr) return null_argument();
    return with_form(filter, form, options,
                     [&](const write_notes& notes) -> result<void> {
                       if (form == BLOOMERY_FORM_CONTAINER)
                         return save_any(filter->filter, path, notes);
                       const char* const name = name_of_form(form);
                       if (!find_form(name)->has_files()) return unknown_form();
                       return save_bare(filter->filter, name, path);
                     });
  });
}

bloomery_status bloomery_filter_decode(std::uint32_t form, const void* data,
                                       std::size_t size,
                                       const bloomery_read_options* options,
                                       bloomery_filter** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_filter> {
    if (!is_readable(data, size)) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    return decoded(form, bytes_of(data, size), o->options());
  });
}

bloomery_status bloomery_filter_load(std::uint32_t form, const char* path,
                                     const bloomery_read_options* options,
                                     bloomery_filter** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_filter> {
    if (path == nullptr) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    return loaded(form, path, o->options());
  });
}
