// "Was it among the last n keys?" over an endless stream, in memory that never grows: it
// forgets older keys, and never a recent one.
//
//   auto f = bloomery::window_bloom::make({.keys = 1'000'000});
//   if (f->insert_if_absent(line)) use(line);    // not among the last million
//
// Several generations, each a block filter (spec/filters.md, section 14).  Keys go into
// the current one; when it has its share, the oldest is emptied and takes its place.  So
// the last keys() keys are found for certain; older ones are not, but by chance.  It is
// no `filter` (filter.hpp): it promises nothing about those.  With generation_keys = 0
// the caller changes generations, by rotate(): every hour, say.
//
// Cost: 17 bits per key of the window at 1 % with 4 generations; a lookup reads a line of
// each.  By epochs instead of inserts, and for several threads, choose window_filter.
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
#include <bloomery/detail/kind/window/shape.hpp>
#include <bloomery/detail/kind/window/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT window_bloom : public filter_of<window_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::window,
      .name = "window",
      .summary = "endless streams: the last keys, and no others",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "blocks",
      .keeps_sentinels = false,
      .forgets = true,
      .parameter_bytes = 24};

  struct params {
    std::uint64_t keys = 0;    // the last so many are found, at least 1
    double fpr = 0.01;         // target rate at its fullest, 0 < fpr < 1
    unsigned generations = 4;  // 2 .. 1024
    block_profile profile = block_profile::by_rate;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // An empty filter.  Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<window_bloom> make(params p) noexcept;

  // An empty filter of exactly this shape.  `keys` is what it was made for, 0 if unknown.
  // Errors: invalid_argument, too_large, out_of_memory.
  static result<window_bloom> make(
      window_shape shape, std::uint64_t keys = 0,
      bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // Lookups, inserts and files: filter_of.hpp.  What they say of this kind:
  //   may_contain       "definitely not present": not inserted, or forgotten
  //   insert            of many, one by one in order
  //   insert_if_absent  inserts in any case: a key that returns is among the last again

  // Empties the oldest generation, which becomes the current one: its keys are forgotten.
  void rotate() noexcept;

  // What its block filters use on this CPU (kernels.hpp).
  static const char* kernel_name() noexcept { return bloomery::kernel_name(); }

  // --- whole filters ---
  // Empty, and the first generation is the current one.
  void clear() noexcept;
  // An empty filter of the same shape, window and hasher.  Errors: out_of_memory.
  result<window_bloom> empty_like() const noexcept {
    return make(shape_, keys_, hasher_);
  }

  // --- what it is ---
  window_shape shape() const noexcept { return shape_; }
  unsigned generations() const noexcept { return shape_.generations; }
  unsigned current() const noexcept { return current_; }
  std::uint64_t count() const noexcept { return count_; }  // inserts into the current one
  // The last so many inserts are found, if rotate() is never called; 2^64 - 1 if all are.
  std::uint64_t retained() const noexcept;
  bloomery::retention retention() const noexcept;
  std::uint64_t bits() const noexcept { return shape_.all().bits(); }
  unsigned hashes() const noexcept { return shape_.one.hashes(); }  // bits a key sets
  using filter_of::bytes;
  // The bytes of one generation.  REQUIRES: generation < generations()
  std::span<const std::byte> bytes(unsigned generation) const noexcept {
    return bytes().subspan(offset(generation),
                           static_cast<std::size_t>(shape_.one.size_in_bytes()));
  }

  // --- current state: each reads every bit ---
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;  // a key in two generations counts twice
  // The same for one generation.  REQUIRES: generation < generations()
  double realised_fpr(unsigned generation) const noexcept;
  double estimated_keys(unsigned generation) const noexcept;

  // The rate after so many inserts of distinct keys.
  double expected_fpr(std::uint64_t inserts) const noexcept;
  // The rate this filter has for keys it does not hold, from its bits.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<window_bloom>;
  friend core_parts;
  friend struct format::filter_access;

  window_bloom(window_shape shape, std::uint64_t keys, bloomery::hasher h,
               unsigned current, std::uint64_t count, pages store) noexcept
      : shape_(shape),
        keys_(keys),
        count_(count),
        current_(current),
        hasher_(h),
        store_(std::move(store)) {}

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept;
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  void add(key k) noexcept { add_each({&k, 1}); }
  void add_each(std::span<const key> ks) noexcept;
  bool add_absent(key k) noexcept {
    bool absent = false;
    add_each_absent({&k, 1}, {&absent, 1});
    return absent;
  }
  void add_each_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  window_bloom with_store(pages store) const noexcept;
  bool is_like(const window_bloom& other) const noexcept {
    return shape_ == other.shape_ && current_ == other.current_ && count_ == other.count_;
  }

  std::size_t offset(unsigned generation) const noexcept {
    return static_cast<std::size_t>(shape_.one.size_in_bytes()) * generation;
  }
  // Makes room for at least one more key, and says for how many, up to `wanted`.
  std::size_t room_for(std::size_t wanted) noexcept;
  void count_inserts(std::uint64_t n) noexcept;

  window_shape shape_;
  std::uint64_t keys_;
  std::uint64_t count_;
  unsigned current_;
  bloomery::hasher hasher_;
  pages store_;
};

}  // namespace bloomery::inline v1
