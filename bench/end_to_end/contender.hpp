// A filter that is measured with the keys that a user has: the hash is its own, and part
// of every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/block_bloom.hpp>

#include "kit/count.hpp"

#if defined(BLOOMERY_PEER_BOOST)
#include <boost/bloom.hpp>

#include "peers/huge_allocator.hpp"
#endif

namespace bloomery::bench {

// As large as a caller's batch may be.
inline constexpr std::size_t end_to_end_batch = 1024;

template <class Key>
class contender {
 public:
  virtual ~contender() = default;
  // Calls below may be given these keys.
  virtual void expect(std::span<const Key>) {}
  virtual void clear() = 0;
  virtual void insert_each(std::span<const Key> ks) = 0;
  virtual void insert_batched(std::span<const Key> ks) = 0;
  // The same of other keys than those expected; not timed.
  virtual void fill(std::span<const Key> ks) { insert_batched(ks); }
  // How many may be present.
  virtual std::uint64_t count_each(std::span<const Key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const Key> ks) const = 0;
  virtual std::size_t bytes() const = 0;
};

template <class Key>
struct named_contender {
  std::string name;
  std::unique_ptr<contender<Key>> filter;
};

// F: block_bloom, or its form for integers.
template <class Key, class F>
class our_contender : public contender<Key> {
 public:
  our_contender(std::uint64_t keys, double fpr) : filter_(made(keys, fpr)) {}

  void clear() override { filter_.clear(); }
  void insert_each(std::span<const Key> ks) override {
    for (const Key& k : ks) filter_.insert(k);
  }
  void insert_batched(std::span<const Key> ks) override {
    for (; !ks.empty(); ks = ks.subspan(std::min(end_to_end_batch, ks.size())))
      filter_.insert(ks.first(std::min(end_to_end_batch, ks.size())));
  }
  std::uint64_t count_each(std::span<const Key> ks) const override {
    std::uint64_t yes = 0;
    for (const Key& k : ks) yes += filter_.may_contain(k);
    return yes;
  }
  std::uint64_t count_batched(std::span<const Key> ks) const override {
    std::uint64_t yes = 0;
    bool answers[end_to_end_batch];
    while (!ks.empty()) {
      const std::size_t n = std::min(end_to_end_batch, ks.size());
      const std::span<bool> some(answers, n);
      filter_.may_contain(ks.first(n), some);
      yes += count_yes(some);
      ks = ks.subspan(n);
    }
    return yes;
  }
  std::size_t bytes() const override { return filter_.size_in_bytes(); }
  const F& filter() const noexcept { return filter_; }

 private:
  static F made(std::uint64_t keys, double fpr) {
    auto f = F::make({.keys = keys, .fpr = fpr});
    if (!f) throw std::runtime_error(f.error().what);
    return *std::move(f);
  }

  F filter_;
};

// The same filter and calls, with keys hashed before: what is left when hashing is free.
template <class Key, class F>
class hashed_contender : public contender<Key> {
 public:
  hashed_contender(std::uint64_t keys, double fpr) : filter_(keys, fpr) {}

  void expect(std::span<const Key> ks) override {
    sets_.push_back({ks.data(), {}});
    for (const Key& k : ks) sets_.back().keys.push_back(filter_.filter().hash(k));
  }
  void clear() override { filter_.clear(); }
  void insert_each(std::span<const Key> ks) override { filter_.insert_each(hashed(ks)); }
  void insert_batched(std::span<const Key> ks) override {
    filter_.insert_batched(hashed(ks));
  }
  void fill(std::span<const Key> ks) override {
    std::vector<key> hashes;
    for (const Key& k : ks) hashes.push_back(filter_.filter().hash(k));
    filter_.insert_batched(hashes);
  }
  std::uint64_t count_each(std::span<const Key> ks) const override {
    return filter_.count_each(hashed(ks));
  }
  std::uint64_t count_batched(std::span<const Key> ks) const override {
    return filter_.count_batched(hashed(ks));
  }
  std::size_t bytes() const override { return filter_.bytes(); }

 private:
  struct hashed_set {
    const Key* of;
    std::vector<key> keys;
  };
  std::span<const key> hashed(std::span<const Key> ks) const {
    for (const hashed_set& s : sets_)
      if (s.of == ks.data()) return s.keys;
    throw std::logic_error("keys that were not announced");
  }

  our_contender<key, F> filter_;
  std::vector<hashed_set> sets_;
};

#if defined(BLOOMERY_PEER_BOOST)
// The hash of our filter of such keys.  Made once, as a filter makes it.
inline const hasher text_hasher = hasher::xxh3();
inline const hasher integer_hasher = hasher::xxh3().of(key_source::integers);
struct our_hash {
  using is_avalanching = std::true_type;
  std::size_t operator()(std::string_view k) const noexcept {
    return text_hasher.hash(k).bits();
  }
  std::size_t operator()(std::uint64_t k) const noexcept {
    return integer_hasher.hash_u64(k).bits();
  }
};

template <class Key, class Subfilter, class Hash>
class boost_contender : public contender<Key> {
 public:
  using filter =
      boost::bloom::filter<Key, 1, Subfilter, 0, Hash, huge_allocator<unsigned char>>;

  explicit boost_contender(filter f) : filter_(std::move(f)) {}

  void clear() override { filter_.clear(); }
  void insert_each(std::span<const Key> ks) override {
    for (const Key& k : ks) filter_.insert(k);
  }
  void insert_batched(std::span<const Key> ks) override {
    for (; !ks.empty(); ks = ks.subspan(std::min(end_to_end_batch, ks.size()))) {
      const auto some = ks.first(std::min(end_to_end_batch, ks.size()));
      filter_.insert(some.begin(), some.end());
    }
  }
  std::uint64_t count_each(std::span<const Key> ks) const override {
    std::uint64_t yes = 0;
    for (const Key& k : ks) yes += filter_.may_contain(k);
    return yes;
  }
  std::uint64_t count_batched(std::span<const Key> ks) const override {
    std::uint64_t yes = 0;
    for (; !ks.empty(); ks = ks.subspan(std::min(end_to_end_batch, ks.size()))) {
      const auto some = ks.first(std::min(end_to_end_batch, ks.size()));
      filter_.may_contain(some.begin(), some.end(),
                          [&](const Key&, bool maybe) { yes += maybe; });
    }
    return yes;
  }
  std::size_t bytes() const override { return filter_.capacity() / 8; }

 private:
  filter filter_;
};

// In the same memory as ours of `bytes`; of the same rate.
template <class Key, class Hash>
std::unique_ptr<contender<Key>> boost_64(std::size_t bytes) {
  using made = boost_contender<Key, boost::bloom::fast_multiblock64<8>, Hash>;
  return std::make_unique<made>(typename made::filter(8 * bytes));
}
template <class Key, class Hash>
std::unique_ptr<contender<Key>> boost_32(std::uint64_t keys, double fpr) {
  using made = boost_contender<Key, boost::bloom::fast_multiblock32<8>, Hash>;
  return std::make_unique<made>(
      typename made::filter(static_cast<std::size_t>(keys), fpr));
}
#endif

// Ours first, Boost's of the same memory second, ours without the hash last.
template <class Key>
std::vector<named_contender<Key>> contenders(std::uint64_t keys, double fpr) {
  using ours = std::conditional_t<std::same_as<Key, std::uint64_t>, block_bloom::integers,
                                  block_bloom>;
  std::vector<named_contender<Key>> all;
  all.push_back({"block", std::make_unique<our_contender<Key, ours>>(keys, fpr)});
#if defined(BLOOMERY_PEER_BOOST)
  const std::size_t bytes = all[0].filter->bytes();
  using theirs = boost::hash<Key>;
  all.push_back({"Boost mb64", boost_64<Key, theirs>(bytes)});
  all.push_back({"Boost mb64, our hash", boost_64<Key, our_hash>(bytes)});
  all.push_back({"Boost mb32", boost_32<Key, theirs>(keys, fpr)});
  all.push_back({"Boost mb32, our hash", boost_32<Key, our_hash>(keys, fpr)});
#endif
  all.push_back({"block, keys hashed before",
                 std::make_unique<hashed_contender<Key, ours>>(keys, fpr)});
  return all;
}

}  // namespace bloomery::bench
