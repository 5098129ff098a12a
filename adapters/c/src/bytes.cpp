// Filters to bytes and files, and back.
#include <cstring>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/portable_bloom.hpp>

#include "handles.hpp"
#include "notes.hpp"
#include "options.hpp"

namespace bloomery::c_abi {
namespace {

error no_such_form() noexcept {
  return {errc::incompatible, "this kind of filter has no such form"};
}
error unknown_form() noexcept { return {errc::unsupported, "no form of that number"}; }

std::span<const std::byte> bytes_of(const void* data, std::size_t size) noexcept {
  return std::as_bytes(std::span(text_of(data, size)));
}

result<pages> copied(std::span<const std::byte> bytes) noexcept {
  auto made = pages::make(bytes.size());
  if (made) std::memcpy(made->data(), bytes.data(), bytes.size());
  return made;
}

template <class F>
inline constexpr bool has_bitset = requires(std::span<const std::byte> b) {
  F::from_bitset(b);
};
template <class F>
inline constexpr bool is_portable = std::is_same_v<F, portable_bloom>;

// Whether a filter of type F has the form.  Two forms belong to one kind each.
template <class F>
result<void> check_form(std::uint32_t form) noexcept {
  switch (form) {
    case BLOOMERY_FORM_CONTAINER:
      return {};
    case BLOOMERY_FORM_PORTABLE:
      if (!is_portable<F>) return no_such_form();
      return {};
    case BLOOMERY_FORM_BITSET:
      if (!has_bitset<F>) return no_such_form();
      return {};
    default:
      return unknown_form();
  }
}

// body(filter, notes) for a filter that has the form.
template <class Body>
result<void> with_form(const bloomery_filter* filter, std::uint32_t form,
                       const bloomery_write_options* options, Body body) {
  if (filter == nullptr) return null_argument();
  return visit(*filter, [&](const auto& f) -> result<void> {
    if (auto ok = check_form<std::remove_cvref_t<decltype(f)>>(form); !ok) return ok;
    const auto notes = notes_of(options, filter->built);
    if (!notes) return notes.error();
    return body(f, *notes);
  });
}

result<std::uint64_t> encoded_size(const auto& f, std::uint32_t form,
                                   const write_notes& notes) noexcept {
  if (form == BLOOMERY_FORM_CONTAINER) return container_size(f, notes);
  return f.size_in_bytes() + (form == BLOOMERY_FORM_PORTABLE ? portable_header_size : 0);
}

template <class F>
result<pages> encoded(const F& f, std::uint32_t form, const write_notes& notes) noexcept {
  if (form == BLOOMERY_FORM_CONTAINER) return encode_container(f, notes);
  if constexpr (is_portable<F>) return f.encode();
  return copied(f.bytes());
}

template <class F>
result<void> write_into(const F& f, std::uint32_t form, const write_notes& notes,
                        std::byte* to) noexcept {
  if (form == BLOOMERY_FORM_CONTAINER) {
    const auto all = encode_container(f, notes);
    if (!all) return all.error();
    std::memcpy(to, all->data(), all->size());
    return {};
  }
  if constexpr (is_portable<F>) {
    const auto all = f.encode();
    if (!all) return all.error();
    std::memcpy(to, all->data(), all->size());
  } else {
    std::memcpy(to, f.bytes().data(), f.bytes().size());
  }
  return {};
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
  switch (form) {
    case BLOOMERY_FORM_PORTABLE:
      return as_handle<bloomery_filter>(
          portable_bloom::decode(bytes, o.source.value_or(key_source::bytes)));
    case BLOOMERY_FORM_BITSET:
      return as_handle<bloomery_filter>(
          split_block_bloom::from_bitset(bytes, o.source.value_or(key_source::bytes)));
    case BLOOMERY_FORM_CONTAINER:
      return of_container(
          [&](read_report* report) { return decode_any(bytes, o, report); });
    default:
      return unknown_form();
  }
}

result<bloomery_filter> loaded(std::uint32_t form, const char* path,
                               const read_options& o) {
  switch (form) {
    case BLOOMERY_FORM_PORTABLE:
      return as_handle<bloomery_filter>(
          portable_bloom::load(path, o.source.value_or(key_source::bytes)));
    case BLOOMERY_FORM_CONTAINER:
      return of_container([&](read_report* report) -> result<any_filter> {
        const auto file = input_file::open(path);
        if (!file) return file.error();
        return load_any(*file, o, report);
      });
    default:
      return unknown_form();
  }
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

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
                     [&](const auto& f, const auto& notes) -> result<void> {
                       const auto needed = encoded_size(f, form, notes);
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
        filter, form, options, [&](const auto& f, const auto& notes) -> result<void> {
          const auto needed = encoded_size(f, form, notes);
          if (!needed) return needed.error();
          if (*needed > capacity)
            return bloomery::error{
                bloomery::errc::too_large, "the memory is too small for the bytes", 0,
                static_cast<double>(*needed), static_cast<double>(capacity)};
          if (auto ok = write_into(f, form, notes, static_cast<std::byte*>(memory)); !ok)
            return ok;
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
    const auto done = with_form(filter, form, options,
                                [&](const auto& f, const auto& notes) -> result<void> {
                                  auto bytes = encoded(f, form, notes);
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
                     [&](const auto& f, const auto& notes) -> result<void> {
                       if (form == BLOOMERY_FORM_CONTAINER)
                         return save_container(f, path, notes);
                       if (form == BLOOMERY_FORM_PORTABLE) return f.save(path);
                       return unknown_form();
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
