// A Bloom filter that grows with its keys: a chain of block filters.
//
//   auto f = bloomery::scalable_bloom::make({.keys = 1000, .max_growth = 1024});
//   f->insert("alice");                 // a level is added when the last one is full
//   f->realised_fpr();                  // of the whole chain, from its bits
//
// For sets whose size is not known in advance.  The target rate is that of the whole
// chain, and is kept up to `max_growth` times the first keys; without a limit the shares
// of the levels fall geometrically.  `dynamic` gives every level the whole rate: smaller,
// and the rate of the chain grows with its levels.  The bits decide when a level is full:
// a key that is inserted again does not make the filter grow (spec/filters.md, section
// 12).
//
// Cost: a lookup reads one line per level (two below 0.05 %); an insert, one line.  At 1
// % and 1024 times the first keys it takes 1.6 times the memory of a block filter made
// for all of them (docs/model.md has the table).  If the number of keys is known, choose
// block_bloom.  While a level is added the filter takes its old memory and its new one.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kernels.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/scalable/shape.hpp>
#include <bloomery/detail/kind/scalable/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {
class shared_levels;
}

class BLOOMERY_EXPORT scalable_bloom : public filter_of<scalable_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::scalable,
      .name = "scalable",
      .summary = "grows with its keys: their number need not be known",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "lines",
      .grows = true,
      .parameter_bytes = 13};

  struct params {
    std::uint64_t keys = 0;  // that the first level holds, at least 1
    double fpr = 0.01;       // target rate of the chain, 0 < fpr < 1
    // Up to this many times `keys`, at that rate; 0: not known.
    double max_growth = 0;
    unsigned growth = 2;   // each level is so many times the one before: 2, 4, 8, 16
    bool dynamic = false;  // every level has the whole rate; without max_growth
    block_profile profile = block_profile::by_rate;  // of every level
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // A filter of one level, with nothing in it.  Errors: invalid_argument, unattainable,
  // too_large, out_of_memory, unsupported (a profile that levels do not have).
  static result<scalable_bloom> make(params p) noexcept;
  // The same of exactly this shape.  `keys` is what it was sized for, 0 if unknown.
  static result<scalable_bloom> make(
      const scalable_shape& shape, std::uint64_t keys = 0,
      bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // A filter with all of `ks` in it, in this order; the first level is sized for p.keys,
  // or for ks.size() if that is 0.  Errors: as make; full, out_of_memory (of levels).
  static result<scalable_bloom> build(std::span<const key> ks, params p) noexcept;
  static result<scalable_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<scalable_bloom>::build;  // from text, bytes: any range of keys

  // Lookups, inserts and files: filter_of.hpp.  What they say of this kind:
  //   insert            grows if the last level is full.  Where it cannot (max_levels, no
  //                     memory) the key goes into the last level all the same: never a
  //                     false negative, and the rate rises beyond the target, as
  //                     realised_fpr() reports.  It tries again some keys later
  //   try_insert        refuses where insert would exceed the rate.
  //                     Errors: full (all its levels are), out_of_memory
  //   insert_if_absent  inserts, unless some level contains the key: a key of an older
  //                     level is not put into a newer one again
  //   capacity          what the first level was sized for; 0: not recorded

  // What its block filters use on this CPU (kernels.hpp).
  static const char* kernel_name() noexcept { return bloomery::kernel_name(); }

  // --- whole filters ---
  // Empty, and of one level again.
  void clear() noexcept;
  // An empty filter of the same shape, capacity and hasher, of one level.
  // Errors: out_of_memory.
  result<scalable_bloom> empty_like() const noexcept {
    return make(shape_, keys_, hasher_);
  }
  // Union, level by level: afterwards it answers "possibly present" wherever either did.
  // The levels may then hold more than their shares, and the rate be above design_fpr:
  // compare realised_fpr.  To stay within it, insert the keys of both into one chain.
  // Errors: incompatible, unless both have the same shape and hasher; out_of_memory.
  result<void> merge(const scalable_bloom& other) noexcept;

  // --- what it is ---
  const scalable_shape& shape() const noexcept { return shape_; }
  unsigned levels() const noexcept { return levels_; }
  std::uint64_t bits() const noexcept { return 8 * size_in_bytes(); }
  // Keys that fit into all the levels it may have.
  std::uint64_t max_keys() const noexcept { return scalable_max_keys(shape_); }
  std::size_t size_in_bytes() const noexcept {
    return static_cast<std::size_t>(shape_.size_in_bytes(levels_));
  }
  std::span<const std::byte> bytes() const noexcept {
    return store_.bytes().first(size_in_bytes());
  }

  // --- current state: each reads every bit ---
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;
  // The rate this chain gives once it holds `keys` keys, in as many levels as they need.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from the bits of all its levels.
  double realised_fpr() const noexcept;

  // One level.  REQUIRES: level < levels()
  struct level_state {
    block_shape shape;
    std::uint64_t room;     // keys it holds at its share of the rate
    double target_fpr;      // its share
    double estimated_keys;  // from its bits, as are the next two
    double fill;
    double realised_fpr;
  };
  level_state level(unsigned level) const noexcept;

 private:
  friend filter_of<scalable_bloom>;
  friend core_parts;
  friend struct format::filter_access;
  friend class detail::shared_levels;  // shared_scalable.hpp

  // Empty, of the shape of `f` and so many levels.  Errors: out_of_memory.
  static result<scalable_bloom> with_levels(const scalable_bloom& f,
                                            unsigned levels) noexcept;
  std::byte* writable_level(unsigned level) noexcept { return blocks_of(level).data; }

  scalable_bloom(const scalable_shape& shape, unsigned levels, std::uint64_t keys,
                 bloomery::hasher h, pages store) noexcept;

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept;
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  void add(key k) noexcept;
  void add_each(std::span<const key> ks) noexcept;
  bool add_absent(key k) noexcept {
    if (find(k)) return false;
    add(k);
    return true;
  }
  void add_each_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  result<void> try_add(key k) noexcept;
  std::size_t try_add_each(std::span<const key> ks) noexcept;
  scalable_bloom with_store(pages store) const noexcept;
  bool is_like(const scalable_bloom& other) const noexcept {
    return shape_ == other.shape_ && levels_ == other.levels_;
  }

  // What its levels see of a key: not in the order of the hashes, in which keys may come.
  static key mixed(key k) noexcept {
    return key::from_bits(block_probe::second(k.bits()));
  }

  // A level as its kernels see it.
  struct level_blocks {
    block_shape shape;
    std::byte* data;
  };
  level_blocks blocks_of(unsigned level) const noexcept {
    return {shape_.level(level),
            const_cast<std::byte*>(store_.data()) + shape_.offset(level)};
  }
  // use(level_blocks) from the last level to the first, until it returns true; whether it
  // did.
  template <class Use>
  bool any_level(Use use) const noexcept {
    std::uint64_t lines = last_.shape.size_in_bytes() / scalable_shape::line_bytes;
    std::byte* data = last_.data;
    for (unsigned i = levels_; i-- != 0;) {
      const block_profile profile = shape_.profile(i);
      if (use(level_blocks{
              {profile == block_profile::half_line ? 2 * lines : lines, profile}, data}))
        return true;
      lines >>= growth_log_;
      data -= scalable_shape::line_bytes * lines;
    }
    return false;
  }
  std::uint64_t ones_of(unsigned level) const noexcept;

  // Growth.
  void know_limit() noexcept;
  result<void> grow() noexcept;
  // Keys that may go into the last level before its ones are counted again, at least 1;
  // grows first if it is full.  Errors: full, out_of_memory.
  result<std::uint64_t> room() noexcept;
  result<std::uint64_t> room_to_try() noexcept;
  // The same for keys that are inserted in any case.
  std::uint64_t room_or_more() noexcept;
  // Some of the first of `ks`, at most `room`; how many.  REQUIRES: slack_ is 0, room > 0
  std::size_t add_some(std::span<const key> ks, std::uint64_t room) noexcept;
  void add_to_last(std::span<const key> ks) noexcept;
  void reset(unsigned levels) noexcept;

  scalable_shape shape_;
  unsigned levels_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
  level_blocks last_;
  std::uint8_t growth_log_;

  // Growth is decided by the ones of the last level alone, so that the bits do not depend
  // on how keys come: in batches, or after the filter was stored and loaded.  They are
  // counted when as many keys have come as could have filled it.
  struct count {
    std::uint64_t ones = 0;  // of the last level
    bool is_known = false;
  };
  count count_;
  std::uint64_t slack_ = 0;  // keys that may come before they are counted again
  std::uint64_t limit_ = 0;  // ones at which it is full; 0: not known yet
  bool may_grow_ = false;    // known with limit_
  bool is_over_ = false;     // insert went on where try_insert would have refused
};

}  // namespace bloomery::inline v1
