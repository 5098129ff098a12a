// A filter in a mapped file: answers at once, whatever its size.
//
//   auto users = bloomery::filter_view<bloomery::block_bloom>::open("users.bloom");
//   if (users->may_contain("alice")) ...
//
// Opening reads the header and the table of checksums, a thousandth of the file.  Each
// chunk is checked when a lookup first touches it (the checked path); once all are,
// lookups are those of the filter itself (the plain path).  Damaged chunks answer
// "perhaps": they are ones in this mapping, the file stays as it is.
//
// Replace files by saving over them: a view keeps the file it opened.  A file that is
// changed in place under a view is not noticed where it was checked already; one that is
// cut short may end the process with SIGBUS.  Where that can happen, load instead.
//
// Thread safety: const calls may run together, verify_all too.
// A view that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/container.hpp>
#include <bloomery/detail/format/chunk_guard.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// F: portable_bloom, block_bloom, split_block_bloom, bloom.
template <class F>
class BLOOMERY_EXPORT filter_view {
 public:
  // Errors: as load_container.
  static result<filter_view> open(const char* path, const read_options& o = {}) noexcept;

  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    if (guard_.all_checked()) [[likely]]
      return filter_.may_contain(k);
    return checked(k);
  }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  bool may_contain(std::nullptr_t) const = delete;
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    if (guard_.all_checked()) [[likely]]
      return filter_.may_contain(ks, out);
    checked(ks, out);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    if (guard_.all_checked()) [[likely]]
      return filter_.may_contain(ks, out);
    checked(ks, out);
  }

  key hash(std::string_view bytes) const noexcept { return filter_.hash(bytes); }
  key hash(std::nullptr_t) const = delete;
  key hash_u64(std::uint64_t x) const noexcept { return filter_.hash_u64(x); }
  bloomery::hasher hasher() const noexcept { return filter_.hasher(); }

  // Checks what has not been touched yet and switches to the plain path; the number of
  // damaged chunks.
  std::uint64_t verify_all(unsigned threads = 1) const noexcept {
    guard_.check_all(threads);
    return guard_.damaged();
  }
  bool is_verified() const noexcept { return guard_.all_checked(); }
  std::uint64_t damaged_chunks() const noexcept { return guard_.damaged(); }

  // What the header says.
  const container_facts& facts() const noexcept { return facts_; }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // The filter itself, with every chunk checked: rates, fill and all the rest.  A loop
  // over single keys asks it instead of the view and saves a test for each.
  const F& filter() const noexcept {
    verify_all();
    return filter_;
  }

 private:
  filter_view(const container_facts& facts, pages file, pages tail, chunk_guard guard,
              F filter) noexcept
      : facts_(facts),
        file_(std::move(file)),
        tail_(std::move(tail)),
        guard_(std::move(guard)),
        filter_(std::move(filter)) {}
  bool checked(key k) const noexcept;
  void checked(std::span<const key> ks, std::span<bool> out) const noexcept;
  void checked(std::span<const std::string_view> ks, std::span<bool> out) const noexcept;

  container_facts facts_;
  pages file_;
  pages tail_;
  chunk_guard guard_;
  F filter_;  // over the payload in file_
};

extern template class filter_view<portable_bloom>;
extern template class filter_view<block_bloom>;
extern template class filter_view<split_block_bloom>;
extern template class filter_view<bloom>;

}  // namespace bloomery::inline v1
