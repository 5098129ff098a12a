// How to make room in a cuckoo filter: breadth-first, reading only.
//
// From the two full buckets of a key, along the other buckets of the tags in them, to the
// nearest bucket with an empty slot.  Tags are then moved from that end backwards, each
// into a slot that is empty, so that none is ever lost, or missing from both of its
// buckets for a reader that sees the writes in order.  A search that fails has changed
// nothing.
//
// No bucket is read twice.  On the shortest path no bucket occurs twice either: the moves
// do not disturb each other.  At the design load a search reads about 5 buckets, and one
// in 10^6 more than 100 (docs/model.md); the bound is there for full filters.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>

namespace bloomery::inline v1 {

template <class Width>
class cuckoo_search {
 public:
  using fields = tag_fields<Width>;
  using word = typename fields::word;

  static constexpr std::size_t max_buckets = 512;

  // One tag from a slot of a full bucket to its other bucket.
  struct move {
    std::uint64_t from, to;
    unsigned slot;  // in `from`
    std::uint32_t tag;
  };

  // Whether there is room, after moves.  read(bucket, word&): false if the bucket must
  // not be touched.  REQUIRES: the buckets of `start` are full, first_word and
  // second_word
  template <class Probe, class Read>
  bool find(const Probe& probe, fields tags, const cuckoo_probe::place& start,
            word first_word, word second_word, Read read) noexcept {
    tags_ = tags;
    bucket_[0] = start.first, word_[0] = first_word;
    bucket_[1] = start.second, word_[1] = second_word;
    count_ = 2;
    marks_ = mark_of(start.first) | mark_of(start.second);
    for (std::size_t at = 0; at < count_; ++at)
      for (unsigned slot = 0; slot < 4 * tags.bits(); slot += tags.bits()) {
        const std::uint64_t to = probe.other(bucket_[at], tags.get(word_[at], slot));
        if (is_known(to)) continue;
        word there;
        if (!read(to, there)) continue;
        bucket_[count_] = to;
        word_[count_] = there;
        parent_[count_] = static_cast<std::uint16_t>(at);
        slot_[count_] = static_cast<std::uint8_t>(slot);
        if (!tags.is_full(there)) return end_ = count_, true;
        marks_ |= mark_of(to);
        if (count_ < max_buckets) ++count_;
      }
    return false;
  }

  // After a search that succeeded: the moves, from the empty slot backwards.  The last
  // one leaves room in a bucket of the key, at its slot.
  template <class Use>
  void for_each_move(Use use) const noexcept {
    for (std::size_t at = end_; at >= 2; at = parent_[at]) {
      const std::size_t from = parent_[at];
      use(move{bucket_[from], bucket_[at], slot_[at], tags_.get(word_[from], slot_[at])});
    }
  }
  // The slots of the bucket at the end, as they were read.
  word end_word() const noexcept { return word_[end_]; }
  std::size_t buckets_read() const noexcept { return count_; }

 private:
  static std::uint64_t mark_of(std::uint64_t bucket) noexcept {
    return std::uint64_t{1} << (bucket * 0x9e3779b97f4a7c15U >> 58);
  }
  // Mostly the marks show that it is not.  A loop of varying length ends in a branch that
  // is predicted wrong.
  bool is_known(std::uint64_t bucket) const noexcept {
    if ((marks_ & mark_of(bucket)) == 0) return false;
    bool known = false;
    for (std::size_t i = 0; i < count_; ++i) known |= bucket_[i] == bucket;
    return known;
  }

  fields tags_;
  std::size_t count_ = 0, end_ = 0;
  std::uint64_t marks_ = 0;  // one for each bucket that was read, of 64
  // The last place is for a bucket that is not kept: it may still be the end.
  std::uint64_t bucket_[max_buckets + 1];
  word word_[max_buckets + 1];
  std::uint16_t parent_[max_buckets + 1];
  std::uint8_t slot_[max_buckets + 1];
};

}  // namespace bloomery::inline v1
