// A mapped file, watched: calls that read it raise ChangedFileError once somebody
// truncated it or wrote to it in place, as the tool does (docs/decisions/0018).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <bloomery/container.hpp>

#include "mapped_bytes.hpp"
#include "options.hpp"
#include "raise.hpp"
#include "without_gil.hpp"

namespace bloomery::py {

// Files up to this size are copied, as the tool does: it takes a millisecond.
inline constexpr std::uint64_t small_file = std::uint64_t{4} << 20;

// `copy`: None (small files are copied), True, False.
inline std::uint64_t copied_up_to(nb::handle copy) {
  if (copy.is_none()) return small_file;
  if (!PyBool_Check(copy.ptr())) raise_type("copy: True, False or None is expected");
  return copy.is(nb::handle(Py_True)) ? ~std::uint64_t{0} : 0;
}

// A view of the bytes of one file; the others are variants of such views.
template <class View>
concept mapped_bytes_view = requires(const View& v) {
  v.mapping();
  v.unchanged();
};

// View: an any_view or a packed_set.
template <class View>
class watched_file {
 public:
  // open(file) -> result<View>, without the GIL.
  template <class Open>
  static watched_file open(const std::string& path, Open open) {
    std::optional<input_file> file;
    auto view = without_gil([&]() -> result<View> {
      const opening_file guarded;
      auto opened = input_file::open(path.c_str());
      if (!opened) return opened.error();
      file.emplace(*std::move(opened));
      return open(*file);
    });
    if (!view && file && !file->unchanged()) raise_changed(path);
    if (!view) {
      error e = view.error();
      e.path = error_path(path.c_str());
      raise(e);
    }
    return watched_file(path, file->stamp(), *std::move(view));
  }
  watched_file(watched_file&& other)
      : path_(std::move(other.path_)),
        stamp_(other.stamp_),
        view_(std::move(other.view_)),
        bytes_(mapping_of(view_)),
        was_changed_(other.was_changed_) {}

  const View& operator*() const noexcept { return view_; }
  const View* operator->() const noexcept { return &view_; }
  const std::string& path() const noexcept { return path_; }
  const file_stamp& stamp() const noexcept { return stamp_; }

  // Whether answers so far are from the bytes that were opened.  Once false, always.
  bool unchanged() const noexcept {
    if (was_changed_) return false;
    was_changed_ = bytes_.was_cut() || !unchanged_of(view_);
    return !was_changed_;
  }
  // Raises ChangedFileError.  Under the GIL.
  void check() const {
    if (!unchanged()) raise_changed(path_);
  }

 private:
  watched_file(std::string path, const file_stamp& stamp, View view)
      : path_(std::move(path)),
        stamp_(stamp),
        view_(std::move(view)),
        bytes_(mapping_of(view_)) {}

  static auto mapping_of(const View& v) {
    if constexpr (mapped_bytes_view<View>)
      return v.mapping();
    else
      return std::visit([](const auto& any) { return any.mapping(); }, v);
  }
  static bool unchanged_of(const View& v) noexcept {
    if constexpr (mapped_bytes_view<View>)
      return v.unchanged();
    else
      return std::visit([](const auto& any) noexcept { return any.unchanged(); }, v);
  }

  std::string path_;
  file_stamp stamp_;
  View view_;
  mapped_bytes bytes_;  // of view_, whose addresses do not change when it is moved
  mutable bool was_changed_ = false;
};

}  // namespace bloomery::py
