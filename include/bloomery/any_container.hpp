// Containers whose kind is known only when they are opened.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/input_file.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Errors: as load_container<F>; incompatible (a foreign filter, or a packed set).
BLOOMERY_EXPORT result<any_filter> load_any(const input_file& file,
                                            const read_options& o = {},
                                            read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<any_filter> load_any(path_ref path, const read_options& o = {},
                                            read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<any_filter> decode_any(std::span<const std::byte> bytes,
                                              const read_options& o = {},
                                              read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<pages> encode_any(const any_filter& f,
                                         const write_notes& notes = {}) noexcept;
BLOOMERY_EXPORT result<void> save_any(const any_filter& f, path_ref path,
                                      const write_notes& notes = {}) noexcept;

inline namespace BLOOMERY_BY_ISA {

// A filter_view of any kind.
using any_view = filter_types::map<filter_view>::apply<std::variant>;

// Of a file, by its path or open.  A template, since it is code for every kind: programs
// that do not call it do not compile it.
// Errors: as filter_view<F>::open; incompatible (a foreign filter, or a packed set).
template <class File>
requires std::same_as<File, input_file> || std::convertible_to<const File&, path_ref>
    result<any_view> open_any(const File& file, const read_options& o = {})
noexcept {
  if constexpr (std::same_as<File, input_file>) {
    const auto facts = inspect(file);
    if (!facts) return facts.error();
    if (!is_filter(facts->kind))
      return error{errc::incompatible, "a container of another kind of filter", 10};
    return with_kind(facts->kind,
                     [&]<class F>(std::type_identity<F>) -> result<any_view> {
                       auto view = filter_view<F>::open(file, o);
                       if (!view) return view.error();
                       return any_view(*std::move(view));
                     });
  } else {
    const path_ref path = file;
    const auto opened = input_file::open(path);
    if (!opened) return opened.error();
    return detail::of_file(path, open_any(*opened, o));
  }
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
