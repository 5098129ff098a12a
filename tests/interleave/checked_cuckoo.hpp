// A cuckoo filter of 32 buckets in two stripes, on the abstract machine: what the
// programs of cuckoo_*_test.cpp share.
//
// Tags of 6 bits, 24 a bucket: buckets 2, 5, 7, 10, 13 of a group lie in two words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/protocol.hpp>
#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>

#include "checked_words.hpp"
#include "toy_filter.hpp"

namespace interleave {

inline constexpr bloomery::fixed_tags<6> six_bits{};
inline constexpr std::size_t cuckoo_words = 12;
inline constexpr bloomery::cuckoo_probe cuckoo_map(32, 6);
using cuckoo_place = bloomery::cuckoo_probe::place;

template <unsigned Tries = 2, unsigned Rounds = 2>
using cuckoo_of = bloomery::shared_cuckoo<checked_words, strict_machine, Tries, Rounds>;

// Its n-th tag (from 0) whose two buckets are `first` and one of the other stripe.
constexpr cuckoo_place across(std::uint64_t first, unsigned n) {
  for (std::uint32_t tag = 1; tag < 64; ++tag)
    if (const std::uint64_t second = cuckoo_map.other(first, tag);
        first / 16 != second / 16 && n-- == 0)
      return {first, second, tag};
  return {};
}

inline unsigned copies_in(const cuckoo_place& p, std::uint64_t x, std::uint64_t y) {
  const bloomery::tag_fields<bloomery::fixed_tags<6>> tags{};
  return tags.size(tags.equal(x, p.tag)) + tags.size(tags.equal(y, p.tag));
}

// Filter: a cuckoo_of, or one with a fault.
template <class Filter>
struct checked_cuckoo {
  using buckets = bloomery::shared_buckets<bloomery::fixed_tags<6>, checked_words>;

  std::array<atomic<std::uint64_t>, cuckoo_words> words;
  checked_words all{words.data()};
  Filter filter{*Filter::make(all, cuckoo_map)};
  std::array<plain<std::uint64_t>, cuckoo_words> copied;
  std::array<signal, 2> done;
  std::array<unsigned, 4> told{};  // a place a thread

  // Before the threads: a tag in a slot of a bucket.
  void put(std::uint64_t bucket, unsigned slot, std::uint32_t tag) {
    buckets(all, six_bits).store(bucket, 6 * slot, tag, relaxed);
  }
  // The rest of a bucket is filled with a tag, whatever its other bucket.
  void fill(std::uint64_t bucket, unsigned from, std::uint32_t tag) {
    for (unsigned slot = from; slot < 4; ++slot) put(bucket, slot, tag);
  }

  // At the end: how often a tag is in its buckets.
  unsigned count(const cuckoo_place& p) const {
    const buckets b(all, six_bits);
    return copies_in(p, b.load(p.first, relaxed), b.load(p.second, relaxed));
  }
  // The same in the copy.
  unsigned count_copied(const cuckoo_place& p) const {
    const auto bucket = [&](std::uint64_t i) {
      std::uint64_t x = 0;
      for (unsigned bit = 0; bit < 24; ++bit) {
        const std::uint64_t at = 24 * i + bit;
        x |= (copied[at / 64].get() >> at % 64 & 1) << bit;
      }
      return x;
    };
    return copies_in(p, bucket(p.first), bucket(p.second));
  }
};

}  // namespace interleave
