// A small concurrent filter that fails when it is told to: what live filters are tried
// on.
//
// The members of concurrent<X>, over plain atomic words: four bits a key, each from 16
// bits of it.  `script` breaks one thing at a time, or calls back from within.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::testing {

struct script {
  bool no_memory = false;                // make fails
  bool forgets = false;                  // inserts of many set nothing
  std::function<void()> on_census;       // at each realised_fpr
  std::function<void(key)> on_insert;    // before one key goes in
  static inline std::atomic<int> alive;  // filters there are

  static script& now() {
    static script one;
    return one;
  }
};

class scripted_filter {
 public:
  struct params {
    std::uint64_t keys = 0;
    double fpr = 0.01;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };
  struct plain {
    params made_for;
    std::vector<std::uint64_t> words;

    void clear() noexcept { std::ranges::fill(words, 0u); }
    friend bool operator==(const plain& a, const plain& b) noexcept {
      return a.words == b.words;
    }
  };

  static result<scripted_filter> make(params p) noexcept {
    if (script::now().no_memory) return error{errc::out_of_memory, "as the script says"};
    const double bits = 4 * static_cast<double>(p.keys) /
                        -std::log1p(-std::pow(p.fpr, 1 / double{hashes_a_key}));
    return scripted_filter(p, static_cast<std::size_t>(bits / 64) + 1);
  }
  result<scripted_filter> empty_like() const noexcept {
    if (script::now().no_memory) return error{errc::out_of_memory, "as the script says"};
    return scripted_filter(params_, size_);
  }
  scripted_filter(scripted_filter&& o) noexcept
      : params_(o.params_), size_(o.size_), words_(std::move(o.words_)) {
    ++script::alive;
  }
  ~scripted_filter() { --script::alive; }

  void insert(key k) noexcept {
    if (script::now().on_insert) script::now().on_insert(k);
    for (unsigned i = 0; i < hashes_a_key; ++i) word(k, i).fetch_or(bit(k, i));
  }
  void insert(std::string_view s) noexcept { insert(hash(s)); }
  void insert(std::span<const key> ks) noexcept {
    if (script::now().forgets) return;
    for (const key k : ks) insert(k);
  }
  void insert(std::span<const std::string_view> ss) noexcept {
    for (const auto s : ss) insert(s);
  }

  template <class K>
  bool insert_and_test(K k) noexcept {
    const bool missing = !may_contain(k);
    insert(k);
    return missing;
  }

  bool may_contain(key k) const noexcept {
    for (unsigned i = 0; i < hashes_a_key; ++i)
      if ((word(k, i).load() & bit(k, i)) == 0) return false;
    return true;
  }
  bool may_contain(std::string_view s) const noexcept { return may_contain(hash(s)); }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void may_contain(std::span<const std::string_view> ss,
                   std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ss.size(); ++i) out[i] = may_contain(ss[i]);
  }

  result<plain> snapshot() const noexcept {
    plain copy{params_, {}};
    for (std::size_t i = 0; i < size_; ++i) copy.words.push_back(words_[i].load());
    return copy;
  }
  void clear() noexcept {
    for (std::size_t i = 0; i < size_; ++i) words_[i] = 0;
  }

  key hash(std::string_view s) const noexcept { return params_.hasher.hash(s); }
  key hash_u64(std::uint64_t x) const noexcept { return params_.hasher.hash_u64(x); }
  bloomery::hasher hasher() const noexcept { return params_.hasher; }

  double fill() const noexcept {
    int set = 0;
    for (std::size_t i = 0; i < size_; ++i) set += std::popcount(words_[i].load());
    return set / (64.0 * static_cast<double>(size_));
  }
  double realised_fpr() const noexcept {
    if (script::now().on_census) script::now().on_census();
    return std::pow(fill(), hashes_a_key);
  }
  std::uint64_t capacity() const noexcept { return params_.keys; }
  std::size_t size_in_bytes() const noexcept { return 8 * size_; }

 private:
  using words = std::unique_ptr<std::atomic<std::uint64_t>[]>;
  static constexpr unsigned hashes_a_key = 4;

  scripted_filter(params p, std::size_t n)
      : params_(p), size_(n), words_(new std::atomic<std::uint64_t>[n] {}) {
    ++script::alive;
  }

  // 16 + 6 bits of the key mixed for each: enough for the sizes of tests.
  static std::uint64_t mixed(key k, unsigned i) noexcept {
    return (k.bits() ^ (k.bits() >> 29)) * (0x9e3779b97f4a7c15 + 2 * i);
  }
  static std::uint64_t bit(key k, unsigned i) noexcept {
    return std::uint64_t{1} << (mixed(k, i) >> 58);
  }
  std::atomic<std::uint64_t>& word(key k, unsigned i) const noexcept {
    return words_[(mixed(k, i) >> 20) % size_];
  }

  params params_;
  std::size_t size_;
  words words_;
};

}  // namespace bloomery::testing
