// Filters in the blocks of an engine's tables: the payload of a container and what its
// header would say of the shape, without the rest.  spec/table_filter.md has the bytes.
//
//   const auto f = bloomery::block_bloom::build(keys, {.fpr = 0.01});
//   std::vector<std::byte> block(*bloomery::table_filter_size(*f));
//   bloomery::write_table_filter(*f, block);
//   const auto view = bloomery::table_filter_view<bloomery::block_bloom>::over(block);
//   if (view->filter().may_contain(k)) ...
//
// Keys are hashed by XXH3-64, seed 0.  For the default kind, and those that are built
// from all keys at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/file_calls.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {
BLOOMERY_EXPORT result<std::uint64_t> table_filter_size(container_kind kind,
                                                        const void* filter) noexcept;
BLOOMERY_EXPORT void write_table_filter(container_kind kind, const void* filter,
                                        std::span<std::byte> to) noexcept;
BLOOMERY_EXPORT result<void> view_table_filter(container_kind kind,
                                               std::span<const std::byte> bytes,
                                               void* where) noexcept;
}  // namespace detail

// The kind of filter that the last bytes name; foreign if they are of no table filter.
BLOOMERY_EXPORT container_kind
table_filter_kind(std::span<const std::byte> bytes) noexcept;

// What it takes besides its payload.
BLOOMERY_EXPORT std::size_t table_filter_trailer(container_kind kind) noexcept;

// Errors: unsupported (a kind, or a profile of blocks, that table filters do not have),
// incompatible (another hasher), corrupt (bytes of it are damaged), too_large.
template <class F>
result<std::uint64_t> table_filter_size(const F& f) noexcept {
  return detail::table_filter_size(F::kind.number, &f);
}
// REQUIRES: table_filter_size(f) succeeded, and to.size() is that
template <class F>
void write_table_filter(const F& f, std::span<std::byte> to) noexcept {
  detail::write_table_filter(F::kind.number, &f, to);
}

// Lookups in bytes that somebody else keeps, at any address: they are not copied, and
// must neither change nor go away before the view.
template <class F>
class table_filter_view {
 public:
  // Reads every byte once, for the checksum.
  // Errors: corrupt, incompatible (another kind), unsupported.
  static result<table_filter_view> over(std::span<const std::byte> bytes) noexcept {
    auto made = detail::made_in_place<F>([bytes](void* where) noexcept {
      return detail::view_table_filter(F::kind.number, bytes, where);
    });
    if (!made) return made.error();
    return table_filter_view(*std::move(made));
  }
  const F& filter() const noexcept { return filter_; }

 private:
  explicit table_filter_view(F filter) noexcept : filter_(std::move(filter)) {}

  F filter_;
};

}  // namespace bloomery::inline v1
