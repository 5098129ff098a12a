// Mapped containers.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "handles.hpp"
#include "info.hpp"
#include "kinds.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

result<bloomery_view> view_of(const char* path, const read_options& o) noexcept {
  auto view = open_any(path, o);
  if (!view) return view.error();
  return bloomery_view{*std::move(view)};
}

// From the header alone: no chunk is checked for it.
template <class F>
bloomery_info layout_of(const filter_view<F>& v) noexcept {
  bloomery_info to{};
  add_layout(to, v.facts());
  to.hash_check = v.hasher().check();
  to.source = static_cast<std::uint32_t>(v.hasher().source());
  to.bits = v.unverified().bits();
  to.identity = field_or_zero(v.unverified(), "identity");
  to.size_in_bytes = v.size_in_bytes();
  to.fill = to.estimated_keys = to.expected_fpr = to.realised_fpr = unknown;
  return to;
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

bloomery_status bloomery_view_open(const char* path, const bloomery_read_options* options,
                                   bloomery_view** view, bloomery_error* error) {
  return make_handle(view, error, [&]() -> result<bloomery_view> {
    if (path == nullptr) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    return view_of(path, o->options());
  });
}

void bloomery_view_free(bloomery_view* view) { delete view; }

bloomery_status bloomery_view_verify(const bloomery_view* view, std::uint32_t threads,
                                     std::uint64_t* damaged) {
  if (view == nullptr || threads == 0) return BLOOMERY_INVALID_ARGUMENT;
  const std::uint64_t count = visit(*view, [&](const auto& v) noexcept {
    return v.verify_all(std::min(threads, max_threads));
  });
  if (damaged != nullptr) *damaged = count;
  return BLOOMERY_OK;
}

int bloomery_view_unchanged(const bloomery_view* view) {
  if (view == nullptr) return wrong_call;
  return visit(*view, [](const auto& v) noexcept { return int{v.unchanged()}; });
}

bloomery_status bloomery_view_info(const bloomery_view* view, std::uint32_t parts,
                                   bloomery_info* info) {
  return fill_struct(info, nullptr, [&]() -> result<bloomery_info> {
    if (view == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok.error();
    return visit(*view, [&](const auto& v) noexcept {
      auto to = layout_of(v);
      if (parts != BLOOMERY_INFO_LAYOUT) add_measures(to, v.filter(), parts);
      to.container = 1;
      to.damaged_chunks = v.damaged_chunks();
      return to;
    });
  });
}

bloomery_status bloomery_view_container(const bloomery_view* view,
                                        bloomery_container* container) {
  return fill_struct(container, nullptr, [&]() -> result<bloomery_container> {
    if (view == nullptr) return null_argument();
    return visit(*view, [](const auto& v) noexcept {
      return container_of({v.facts(), v.damaged_chunks(), 0});
    });
  });
}

double bloomery_view_expected_fpr(const bloomery_view* view, std::uint64_t keys) {
  if (view == nullptr) return unknown;
  return visit(*view,
               [&](const auto& v) noexcept { return v.filter().expected_fpr(keys); });
}

double bloomery_view_realised_fpr(const bloomery_view* view) {
  if (view == nullptr) return unknown;
  return visit(*view, [](const auto& v) noexcept { return v.filter().realised_fpr(); });
}
