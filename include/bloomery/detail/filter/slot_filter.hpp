// How a fuse or xor filter is made: built from all its keys, or read.
//
// The definitions are in src/filter/slot_kind.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/slot_storage.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

struct slot_params {
  std::uint64_t keys = 0;  // no more distinct keys than these; 0: any number
  double fpr = 0.01;       // the target rate: rounded down to a power of 1/2
  bloomery::hasher hasher = bloomery::hasher::xxh3();
  unsigned arity = 3;  // slots per key: 3; of fuse also 4, which is smaller and slower
};

// F: fuse or xor_filter, which is derived from this.
template <class F, class Rule>
class BLOOMERY_EXPORT slot_filter : public filter_of<F, slot_storage<Rule>> {
  using shell = filter_of<F, slot_storage<Rule>>;

 public:
  using params = slot_params;

  // A filter of exactly the keys `ks`, which may come in any order and more than once:
  // the bytes depend on the set only, not on the number of threads.  It is sized for the
  // distinct keys.  Memory meanwhile, beside ks and the filter: for each thread 27 bytes
  // for each key of a shard, which has about three million; 8 bytes for each key if they
  // are not ascending, 16 if they come more than once.
  // Errors: invalid_argument, unsupported (arity), unattainable (a rate below 2^-32),
  // full (more distinct keys than p.keys), too_large, out_of_memory.  REQUIRES: threads
  // >= 1
  static result<F> build(std::span<const key> ks, params p,
                         unsigned threads = 1) noexcept;
  static result<F> build(std::span<const key> ks) noexcept { return build(ks, params{}); }
  using range_builds<F>::build;  // from text, bytes: any range of keys
  // The same from keys that are taken shard by shard, in bounded memory.
  // Errors: also those of the source; invalid_argument (other keys than it promised).
  static result<F> build(sorted_keys ks, params p, unsigned threads = 1) noexcept;
  // Takes the width of fingerprints, 1 to 32 bits, instead of a rate.
  static result<F> build(std::span<const key> ks, slot_request slots, bloomery::hasher h,
                         unsigned threads = 1) noexcept;
  static result<F> build(sorted_keys ks, slot_request slots, bloomery::hasher h,
                         unsigned threads = 1) noexcept;

  // Lookups and files: filter_of.hpp.

  static const char* kernel_name() noexcept { return "portable"; }

  // A filter of no keys, with fingerprints as wide and the same hasher.
  // Errors: out_of_memory.
  result<F> empty_like() const noexcept {
    return build(std::span<const key>(), slot_request{this->shape().width},
                 this->hasher());
  }

 protected:
  using shell::shell;
  slot_filter(slot_filter&&) noexcept = default;
  slot_filter& operator=(slot_filter&&) noexcept = default;

 private:
  friend shell;
  friend core_parts;

  F with_store(pages store) const noexcept;
  template <class Keys>
  static result<F> build_any(Keys ks, slot_request slots, const bloomery::hasher& h,
                             std::uint64_t max_keys, unsigned threads) noexcept;
};

}  // namespace bloomery::inline v1
