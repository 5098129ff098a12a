// Cuckoo filters for inserts, erases and lookups by any number of threads.
//
// Lookups never wait.  A lookup that happens-after the insert of a key, and not after the
// begin of its erase, answers "possibly present", also while its tag is moved to make
// room for another.  If other threads change the buckets of an absent key again and again
// while it is looked up, the answer is "possibly present" after 64 attempts;
// contended_lookups() counts these.  Inserts and erases lock two stripes of the filter
// for some ten nanoseconds: a thread that is preempted inside blocks writers of those
// stripes.  With one thread the bytes are those of the plain filter; with several, every
// tag is in its buckets as often as in the plain filter, in other slots.  A refused
// insert adds nothing.  Tags of other keys may have moved to their other bucket. Protocol
// and proof: detail/sync/shared_cuckoo.hpp, docs/concurrency.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/kind/cuckoo/protocol.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// (src/kind/cuckoo/shared.cpp)
template <>
struct BLOOMERY_EXPORT concurrent_access<cuckoo> {
  // Any number of threads may call this.
  static result<void> ensure_identity(cuckoo& f) noexcept { return f.ensure_identity(); }
  // Receipts of `of` are for the copy, too.  Errors: out_of_memory.
  static result<cuckoo> with_receipts(result<cuckoo> copy, const cuckoo& of) noexcept {
    if (!copy) return copy;
    auto same = of.receipts_.copy();
    if (!same) return same.error();
    copy->receipts_ = *std::move(same);
    return copy;
  }

  using stripes = shared_cuckoo<atomic_words>;

  // Errors: out_of_memory; corrupt (bytes of f are damaged: writers do not check).
  static result<stripes> share(cuckoo& f) noexcept;

  BLOOMERY_INLINE static bool may_contain(const cuckoo& f, const stripes& s,
                                          key k) noexcept {
    return with_tag_width(
        f.tag_bits(), [&]<class Width>(Width width) __attribute__((always_inline)) {
          return s.has(width, f.probe_.start(k, width.bits));
        });
  }
  static void may_contain(const cuckoo& f, const stripes& s, std::span<const key> ks,
                          bool* out) noexcept;
  static std::uint64_t count(const cuckoo& f, const stripes& s, key k) noexcept;
  static result<void> insert(const cuckoo& f, stripes& s, key k) noexcept;
  // How many are in, before the first that is refused.
  static std::size_t insert(const cuckoo& f, stripes& s,
                            std::span<const key> ks) noexcept;
  static result<void> erase(const cuckoo& f, stripes& s, key k) noexcept;
  static std::size_t erase(const cuckoo& f, stripes& s, std::span<const key> ks,
                           bool* erased) noexcept;

  static std::byte* data(cuckoo& f) noexcept { return f.store_.data(); }
};

// Writers lock, so wait_free is not offered.
template <>
struct default_policy<cuckoo> {
  using type = striped;
};

inline namespace BLOOMERY_BY_ISA {

// Writers lock the stripes of their buckets; readers check a stripe's version instead.
template <>
class shared_core<cuckoo, striped> : public shared_filter<cuckoo> {
  using access = concurrent_access<cuckoo>;

 public:
  // A plain copy of one moment during the call: every insert and erase is in it whole or
  // not at all, and all that happen-before the call are in it.  Lookups go on; a writer
  // waits for as long as its stripe (1/8192 of the filter, 1.5 KB at least) is copied.
  // Errors: out_of_memory.
  result<cuckoo> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy) stripes_.copy(access::data(*copy));
    return access::with_receipts(std::move(copy), filter_);
  }
  // Lookups so far that answered "possibly present" after 64 attempts.
  std::uint64_t contended_lookups() const noexcept { return stripes_.given_up(); }

  std::uint64_t buckets() const noexcept { return filter_.buckets(); }
  std::uint32_t tag_bits() const noexcept { return filter_.tag_bits(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::uint64_t receipt_scope() const noexcept { return filter_.receipt_scope(); }
  std::uint64_t occupied() const noexcept { return filter_.occupied(); }

 protected:
  // Errors: out_of_memory; corrupt (bytes of `f` are damaged).
  static result<shared_core> share(cuckoo f) noexcept {
    auto stripes = access::share(f);
    if (!stripes) return stripes.error();
    return shared_core(std::move(f), *std::move(stripes));
  }

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return access::ensure_identity(filter_); }
  BLOOMERY_INLINE bool find(key k) const noexcept {
    return access::may_contain(filter_, stripes_, k);
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    access::may_contain(filter_, stripes_, ks, out.data());
  }
  // 8 after 64 attempts.
  std::uint64_t copies_of(key k) const noexcept {
    return access::count(filter_, stripes_, k);
  }
  // Errors: full (a search found no room in buckets that did not change meanwhile),
  // too_many_copies.
  result<void> try_add(key k) noexcept { return access::insert(filter_, stripes_, k); }
  std::size_t try_add_each(std::span<const key> ks) noexcept {
    return access::insert(filter_, stripes_, ks);
  }
  // Errors: not_present.
  result<void> remove(key k) noexcept { return access::erase(filter_, stripes_, k); }
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept {
    return access::erase(filter_, stripes_, ks, erased.data());
  }

 private:
  shared_core(cuckoo f, access::stripes s) noexcept
      : shared_filter(std::move(f)), stripes_(std::move(s)) {}

  access::stripes stripes_;  // over the memory of filter_, which does not move with it
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
