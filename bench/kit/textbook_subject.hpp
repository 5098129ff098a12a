// The textbook filter as a subject.  It has no batches: a batch is a loop.
#pragma once

#include <cstdint>
#include <memory>

#include <bloomery/portable_bloom.hpp>

#include "kit/subject.hpp"
#include "kit/textbook.hpp"

namespace bloomery::bench {

class textbook_subject final : public growing_subject {
 public:
  explicit textbook_subject(bloom_layout layout) : filter_(layout) {}

  void clear() override { filter_.clear(); }
  void insert_each(std::span<const key> ks) override {
    for (const key k : ks) filter_.insert(k.bits());
  }
  void insert_batched(std::span<const key> ks) override { insert_each(ks); }
  void insert_batched(std::span<const std::string_view> ks) override {
    for (const std::string_view k : ks) filter_.insert(textbook_bloom::hash(k));
  }

  std::uint64_t count_each(std::span<const key> ks) const override {
    std::uint64_t yes = 0;
    for (const key k : ks) yes += filter_.may_contain(k.bits());
    return yes;
  }
  std::uint64_t count_batched(std::span<const key> ks) const override {
    return count_each(ks);
  }
  std::uint64_t count_batched(std::span<const std::string_view> ks) const override {
    std::uint64_t yes = 0;
    for (const std::string_view k : ks)
      yes += filter_.may_contain(textbook_bloom::hash(k));
    return yes;
  }
  std::vector<std::uint64_t> lookup_ticks(std::span<const key> ks) const override {
    return ticks_of_each(ks, [&](key k) { return filter_.may_contain(k.bits()); });
  }

  bloomery::hasher hasher() const override { return hasher::fnv1a_splitmix(); }
  double realised_fpr() const override { return 0; }  // it does not know
  double fill() const override { return 0; }
  bool sets_bits() const override { return true; }
  std::span<const std::byte> bytes() const override { return filter_.bytes(); }

 private:
  textbook_bloom filter_;
};

// The textbook filter of the same bytes.  Empty: no kind but the portable one has any.
template <class F>
subject_maker textbook_of(std::uint64_t, double) {
  return {};
}
template <>
inline subject_maker textbook_of<portable_bloom>(std::uint64_t keys, double fpr) {
  return [=]() -> result<std::unique_ptr<growing_subject>> {
    const auto layout = size_by_rate(keys, fpr);
    if (!layout) return layout.error();
    return std::unique_ptr<growing_subject>(new textbook_subject(*layout));
  };
}

}  // namespace bloomery::bench
