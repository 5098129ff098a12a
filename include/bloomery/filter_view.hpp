// A filter in a memory-mapped file: opens at once, whatever its size.
//
//   auto users = bloomery::filter_view<bloomery::block_bloom>::open("users.bloom");
//   if (users->may_contain("alice")) ...
//
// Opening reads the header and the table of checksums, a thousandth of the file.  Each
// chunk is checked when a lookup first touches it (the checked path); once all are,
// lookups are those of the filter itself (the plain path).  Lookups in damaged chunks
// answer "possibly present", as the kind's damage rule says; the file is not changed.
//
// Replace files by saving over them, or by mv: a view keeps the file it opened.  If a
// file is changed in place under a view (cp), false negatives are possible for keys of
// the old and the new file: bytes that were checked are not checked again.  `unchanged`
// detects most of this.  A file that is truncated may end the process with SIGBUS.  Where
// that can happen, load instead, or let small files be copied (read_options::copy_up_to).
//
// A filter in a block of an engine's file, without a container: table_filter_view.
//
// Thread safety: const calls may run together, verify_all too.
// A view that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/container.hpp>
#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/format/chunk_guard.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/detail/format/table_filter.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {

// A container mapped into memory.
struct mapped_filter {
  container_facts facts;
  pages file;
  pages tail;
  chunk_guard guard;
};
// Makes a filter over the mapped payload at `where`, if there is no error.
BLOOMERY_EXPORT result<void> map_filter(container_kind kind, const input_file& file,
                                        const read_options& o,
                                        std::optional<mapped_filter>& mapped,
                                        void* where) noexcept;
// Lookups that check each chunk before they read it.
BLOOMERY_EXPORT bool ask_checked(container_kind kind, const chunk_guard& guard,
                                 const void* filter, key k) noexcept;
BLOOMERY_EXPORT void ask_checked(container_kind kind, const chunk_guard& guard,
                                 const void* filter, std::span<const key> ks,
                                 std::span<bool> out) noexcept;

}  // namespace detail

inline namespace BLOOMERY_BY_ISA {

// F: any filter of kinds.hpp.
template <class F>
class filter_view : public key_lookups<filter_view<F>> {
 public:
  // Errors: as load_container.
  static result<filter_view> open(const input_file& file,
                                  const read_options& o = {}) noexcept;
  static result<filter_view> open(path_ref path, const read_options& o = {}) noexcept;

  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    if (mapped_.guard.is_plain()) [[likely]]
      return filter_.may_contain(k);
    return checked(k);
  }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return !detail::takes<std::string_view>(*this) || may_contain(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.  The file decides whether keys
  // are integers; of a key that is not of its source the answer is "possibly present".
  using key_lookups<filter_view>::hash;
  using key_lookups<filter_view>::may_contain;
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    if (mapped_.guard.is_plain()) [[likely]]
      return filter_.may_contain(ks, out);
    checked(ks, out);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    if (!detail::takes<std::string_view>(*this)) {
      detail::require_answers(ks.size(), out.size());
      for (bool& answer : out) answer = true;
      return;
    }
    if (mapped_.guard.is_plain()) [[likely]]
      return filter_.may_contain(ks, out);
    checked(ks, out);
  }

  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return filter_.hash(bytes);
  }
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return filter_.hash_u64(x);
  }
  BLOOMERY_INLINE key from_hash(std::uint64_t h) const noexcept {
    return filter_.from_hash(h);
  }
  bloomery::hasher hasher() const noexcept { return filter_.hasher(); }

  // Checks the chunks that no lookup has touched yet and switches to the plain path.
  // Returns the number of damaged chunks.
  std::uint64_t verify_all(unsigned threads = 1) const noexcept {
    mapped_.guard.check_all(threads);
    return mapped_.guard.damaged();
  }
  bool is_verified() const noexcept { return mapped_.guard.all_checked(); }
  std::uint64_t damaged_chunks() const noexcept { return mapped_.guard.damaged(); }

  // Whether the file is still the one that was opened, as far as its status shows: size,
  // mtime and ctime.  Where only the ctime differs (a rename, a chmod; a write with the
  // mtime set back), the table of checksums is read again and every chunk that was
  // checked is checked again.  Answers given before a call that returns true come from
  // the bytes that were opened: look up a batch, call this, use the answers.
  // Not detected: two writes within one tick of the file system's clock, up to 4 ms on
  // Linux, if the first came before the view; bytes that were changed and changed back,
  // the mtime too; writes through another mapping, until the system records their time;
  // changes that a network file system has not yet propagated.  False also where the
  // status cannot be read; true for a copy.  Costs a system call, under a microsecond;
  // after a change of the ctime also one pass over the chunks that were checked, about
  // 0.1 s per GiB.  Other threads may look up meanwhile.
  bool unchanged() const noexcept { return mapped_.guard.unchanged(); }
  // The bytes that are mapped, of the whole file: for a program that handles SIGBUS.
  // Empty: it is a copy.
  std::span<const std::byte> mapping() const noexcept { return mapped_.guard.mapping(); }

  // What the header says.
  const container_facts& facts() const noexcept { return mapped_.facts; }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // The filter before its chunks are checked: for its layout.  A lookup in it may have a
  // false negative.
  const F& unverified() const noexcept { return filter_; }

  // The filter itself, with every chunk checked: rates, fill and all other calls.  A loop
  // over single keys should query it instead of the view: it saves a test per key.
  const F& filter() const noexcept {
    verify_all();
    return filter_;
  }

 private:
  filter_view(detail::mapped_filter mapped, F filter) noexcept
      : mapped_(std::move(mapped)), filter_(std::move(filter)) {}
  bool checked(key k) const noexcept {
    return detail::ask_checked(F::kind.number, mapped_.guard, &filter_, k);
  }
  void checked(std::span<const key> ks, std::span<bool> out) const noexcept {
    detail::ask_checked(F::kind.number, mapped_.guard, &filter_, ks, out);
  }
  void checked(std::span<const std::string_view> ks, std::span<bool> out) const noexcept;

  detail::mapped_filter mapped_;
  F filter_;  // over the payload in mapped_.file
};

template <class F>
result<filter_view<F>> filter_view<F>::open(const input_file& file,
                                            const read_options& o) noexcept {
  std::optional<detail::mapped_filter> mapped;
  auto over = detail::made_in_place<F>([&](void* where) noexcept {
    return detail::map_filter(F::kind.number, file, o, mapped, where);
  });
  if (!over) return over.error();
  return filter_view(*std::move(mapped), *std::move(over));
}

template <class F>
result<filter_view<F>> filter_view<F>::open(path_ref path,
                                            const read_options& o) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, open(*file, o));
}

template <class F>
void filter_view<F>::checked(std::span<const std::string_view> ks,
                             std::span<bool> out) const noexcept {
  detail::require_answers(ks.size(), out.size());
  detail::for_each_text_group(
      filter_.hasher(), ks, [&](std::span<const key> some, std::size_t first) noexcept {
        return checked(some, out.subspan(first, some.size())), true;
      });
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
