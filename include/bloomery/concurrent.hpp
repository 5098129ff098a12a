// A filter for concurrent calls by any number of threads.
//
//   auto seen = bloomery::concurrent<bloomery::block_bloom>::make({.keys = 1'000'000});
//   seen->insert("alice");                        // from any thread
//   if (seen->insert_if_absent(url)) fetch(url);  // true for at most one thread
//   auto copy = seen->snapshot();                 // a plain block_bloom; blocks nobody
//
// No false negatives between threads either: a lookup that happens-after an insert
// returned (the threads were joined, took the same lock, passed a message), and not after
// the begin of an erase, answers "possibly present".  A lookup concurrent with the insert
// may answer either way, and its answer does not synchronise other memory: publish that
// by other means.  Receipts are those of the plain filter: each accepts the other's.
//
//   F                policy             inserts       lookups     described in
//   any of bits      wait_free, locked  by policy     wait-free   shared_bits.hpp
//   counting_bloom   wait_free          wait-free     wait-free   shared_counting.hpp
//   scalable_bloom   wait_free          bounded       never wait  shared_scalable.hpp
//   cuckoo           striped            lock stripes  never wait  shared_cuckoo.hpp
//   quotient         striped            lock stripes  never wait  shared_quotient.hpp
//
// The headers on the right are in detail/filter.  Kinds that are built once (fuse, ribbon
// ...) need no such wrapper: their calls are const.  docs/concurrency.md has figures and
// proofs.
//
// "Alone" in a comment: no other call may run at the same time.  Everything else may be
// called by any thread at any time.  Move, assignment and destruction: alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/filter/shared_bits.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/kind/counting/shared.hpp>
#include <bloomery/detail/kind/cuckoo/shared.hpp>
#include <bloomery/detail/kind/quotient/shared.hpp>
#include <bloomery/detail/kind/scalable/shared.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// The calls for keys are those of the plain filter (filter_of.hpp), and what its shared
// core offers besides: snapshot, merge, release, clear ...
template <class F, class Policy = typename default_policy<F>::type>
requires shared_by_threads<F, Policy>
class concurrent : public filter_of<concurrent<F, Policy>, shared_core<F, Policy>> {
  using shared = shared_core<F, Policy>;
  using shell = filter_of<concurrent, shared>;

 public:
  using plain = F;
  using policy = Policy;
  using params = typename F::params;

  // An empty filter.  Errors: as F::make, out_of_memory.
  static result<concurrent> make(params p) noexcept { return adopted(F::make(p)); }
  // What is in `f`.  Errors: out_of_memory; corrupt (bytes of `f` are damaged).
  static result<concurrent> adopt(F f) noexcept {
    auto core = shared::share(std::move(f));
    if (!core) return core.error();
    return concurrent(*std::move(core));
  }
  // An empty filter of the same layout, capacity, hasher and identity.
  // Errors: out_of_memory.
  result<concurrent> empty_like() const noexcept {
    return adopted(this->plain_form().empty_like());
  }

  // What the calls for keys say beyond those of the plain filter:
  //   insert            once it has returned, lookups that happen-after it find the key
  //   insert_if_absent  true if this call was the first to insert the key.  If several
  //                     threads call it with the same new key, at most one gets
  //                     true, and exactly one, unless the key already tested positive (a
  //                     false positive, or bits of another key that arrive first) or a
  //                     plain insert of the same key runs concurrently.  Callers with the
  //                     same key take turns under a lock, so this call blocks under every
  //                     policy
  //   erase(receipt)    if two threads use copies of one stored receipt, both may
  //   succeed:
  //                     one of them deletes what another key has there
  //   erase_present     REQUIRES: the insert happens-before this call, and the key was
  //   not
  //                     erased since

  // Inserts.  Returns true if the key tested negative when this call looked.  As cheap as
  // insert, and only a hint: two threads that insert the same new key at the same time
  // may both get true.
  template <class T, core_tests S = concurrent>
  BLOOMERY_INLINE bool insert_and_test(const T& x) noexcept {
    return this->add_and_test(this->single(x));
  }

  using shared::capacity;
  using shared::size_in_bytes;

 private:
  friend shell;
  friend core_parts;

  explicit concurrent(shared core) noexcept : shell(std::move(core)) {}

  static result<concurrent> adopted(result<F> made) noexcept {
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
