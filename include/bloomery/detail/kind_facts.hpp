// The facts of a kind of filter: number, name, hash, damage rule, capabilities.
//
// Each filter type has its row of facts as `F::kind`.  kinds.hpp lists the types, and has
// what needs the whole list.  spec/kinds.json holds the same facts for every language; a
// test compares the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <bloomery/detail/export.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::inline v1 {

// Numbers are stored in files: never reuse one.
enum class container_kind : std::uint8_t {
  portable = 1,
  block = 2,
  split_block = 3,
  bloom = 4,
  partitioned = 5,
  cuckoo = 6,
  counting = 7,
  ribbon = 8,
  fuse = 9,
  xor_filter = 10,
  scalable = 11,
  stable = 12,
  window = 13,
  quotient = 14,
  filters_end,    // one after the last filter: a new kind goes before it
  foreign = 128,  // another system's bytes, whole
  packed = 129,   // many small filters
  // The same, of a kind that is built from all keys at once.
  packed_static = 130,
};
constexpr bool is_packed(container_kind k) noexcept {
  return k == container_kind::packed || k == container_kind::packed_static;
}
// The numbers from 1 up to this one each have a type in kinds.hpp, or it does not
// compile.
inline constexpr container_kind last_filter_kind{
    static_cast<std::uint8_t>(container_kind::filters_end) - 1};

// "portable", "block", ..., "foreign", "packed", "packed-static"; "unknown"
BLOOMERY_EXPORT const char* name_of(container_kind kind) noexcept;

// Calls that only some kinds have.
enum class capability : std::uint8_t {
  insert,            // cannot fail
  try_insert,        // may be full; a refused key changes nothing
  insert_if_absent,  // and reports whether the key was new
  erase,
  count,  // copies of one key
  merge,
  fold,
  intersect,
  iterate,
  build,       // all keys at once, and in no other way
  rotate,      // forgets the oldest generation
  grow,        // doubles when it is full
  forgetting,  // share of keys that are forgotten, by age
  publish,     // as a filter of bits
};
inline constexpr std::size_t capabilities_known = 14;

// The name of the call.
constexpr const char* name_of(capability c) noexcept {
  constexpr const char* names[capabilities_known] = {
      "insert", "try_insert", "insert_if_absent", "erase",   "count",
      "merge",  "fold",       "intersect",        "iterate", "build",
      "rotate", "grow",       "forgetting",       "publish"};
  return names[static_cast<std::size_t>(c)];
}

// A set of calls.
class capabilities {
 public:
  constexpr capabilities() noexcept = default;
  constexpr bool has(capability c) const noexcept { return (bits_ >> index(c) & 1) != 0; }
  constexpr void add(capability c) noexcept { bits_ |= std::uint32_t{1} << index(c); }
  friend constexpr bool operator==(capabilities, capabilities) noexcept = default;

 private:
  static constexpr unsigned index(capability c) noexcept {
    return static_cast<unsigned>(c);
  }
  std::uint32_t bits_ = 0;
};

// What a damaged chunk of the payload means (spec/container.md, section 4).
enum class damage_rule : std::uint8_t {
  ones,              // bits that only insertion sets: all of them count as set
  possibly_present,  // anything else: what a lookup that reads it answers
};

// As in spec/kinds.json.
constexpr const char* name_of(damage_rule r) noexcept {
  return r == damage_rule::ones ? "ones" : "possibly-present";
}

// What a filter that forgets still finds; of every kind with kind_facts::forgets, as
// f.retention().
struct retention {
  // The last so many inserts are found for certain.
  std::uint64_t keys = 0;
  // Older keys are found by chance only; otherwise they are forgotten one by one.
  bool is_exact = false;
  // If generations change by call: those whose keys are found for certain.
  unsigned generations = 0;
  // `forgotten` is the share of keys inserted `age` inserts ago that is forgotten.
  // age 0: unknown
  std::uint64_t age = 0;
  double forgotten = 0;
};

// What is fixed for a kind; each filter has its own as F::kind.
struct kind_facts {
  container_kind number;
  const char* name;     // as in files, options and spec/kinds.json
  const char* summary;  // half a line for a list of kinds
  // The hash it is defined with, or its default.
  bloomery::hasher (*hasher)() noexcept;
  const char* units = "bits";  // what byte 24 of a header counts: "bits", "blocks", ...
  bool any_hasher = true;      // otherwise `hasher` alone, without a seed
  // A rate may be given beside bits per key or memory: how much is forgotten follows.
  bool rate_beside_size = false;
  // Takes keys as they come, however many: it is made for the first of them.
  bool grows = false;
  damage_rule damage = damage_rule::ones;
  // Files may carry sentinels and a count of distinct keys: not for kinds that delete
  // keys, since a sentinel may have been deleted.
  bool keeps_sentinels = true;
  // Keeps recent keys only, by design (filter.hpp: forgetting).
  bool forgets = false;
  // Lookups take little more than the memory they read: of the build-only kinds, those to
  // prefer where speed matters more than size.
  bool fast_lookups = false;
  // One-key calls are vector code in programs that are compiled for AVX2.
  bool inlines_vectors = false;
  // Bytes of the header's parameters that it uses; the others are zero.
  std::uint8_t parameter_bytes = 0;
};

}  // namespace bloomery::inline v1
