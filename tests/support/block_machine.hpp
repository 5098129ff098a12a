// Drives a block filter and the specification's own wording side by side, operation by
// operation.
//
// Shared by the property tests (operations from RapidCheck) and by fuzz_block (from
// bytes).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "block_oracle.hpp"
#include "must.hpp"
#include "op_machine.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

// Filters of several profiles are made by shape; the others by their number of blocks.
template <class F>
concept made_by_shape = requires(block_shape s) {
  { F::make(s) } -> std::same_as<result<F>>;
};

// F: block_bloom or split_block_bloom.
template <class F>
class block_machine {
 public:
  explicit block_machine(block_shape s) : real_(make(s)), model_(s) {}

  // What went wrong, or nothing.
  std::string run(const op& o) {
    switch (o.what % 11) {
      case 0:
        real_.insert(remember(key::from_bits(o.value)));
        break;
      case 1:
        real_.insert(std::span<const key>(remember(batch(o))));
        break;
      case 2: {
        const std::string s = mixed_strings(o.value, 1)[0];
        real_.insert(std::string_view(s));
        remember(real_.hash(s));
        break;
      }
      case 3: {
        const auto strings = mixed_strings(o.value, o.amount % 300);
        const auto some = views(strings);
        real_.insert(std::span<const std::string_view>(some));
        for (const auto s : some) remember(real_.hash(s));
        break;
      }
      case 4:
        return asked(batch(o));
      case 5: {
        const auto strings = mixed_strings(o.value, o.amount % 300);
        return asked(views(strings));
      }
      case 6: {  // another filter, as large or some times as large
        block_shape s = real_.shape();
        s.blocks *= o.value % 4 + 1;
        F other = make(s);
        other.insert(std::span<const key>(remember(batch(o))));
        must(real_.merge(other));
        break;
      }
      case 7:
        fold(o.value % real_.shape().blocks + 1);
        break;
      case 8: {  // with a filter that has all the keys, and more
        F other = make(real_.shape());
        other.insert(std::span<const key>(keys_));
        other.insert(std::span<const key>(batch(o)));
        must(real_.intersect(other));
        break;
      }
      case 9:
        real_.clear();
        model_.clear();
        keys_.clear();
        break;
      default: {
        const auto bytes = must(real_.encode());
        real_ = must(F::decode(bytes.bytes()));
      }
    }
    return checked();
  }

  const F& filter() const { return real_; }
  const std::vector<key>& held() const { return keys_; }

  // Up to 300 keys, some with halves at the ends of their range.
  static std::vector<key> batch(const op& o) {
    auto ks = keys(o.value, o.amount % 300);
    constexpr std::uint64_t ends[] = {0, ~std::uint64_t{0}, 0xffffffff,
                                      0xffffffff00000000};
    for (std::size_t i = 0; i < ks.size(); i += 17)
      ks[i] = key::from_bits(ends[i / 17 % 4] ^ (i % 2 == 0 ? o.value : 0));
    return ks;
  }

 private:
  static F make(block_shape s) {
    if constexpr (made_by_shape<F>)
      return must(F::make(s));
    else
      return must(F::make(s.blocks));
  }

  key remember(key k) {
    model_.insert(k);
    keys_.push_back(k);
    return k;
  }
  std::vector<key> remember(std::vector<key> ks) {
    for (const key k : ks) remember(k);
    return ks;
  }

  // The model is made anew from its keys: that is what folding must amount to.
  void fold(std::uint64_t divisor) {
    const std::uint64_t blocks = real_.shape().blocks;
    while (blocks % divisor != 0) --divisor;
    must(real_.fold(divisor));
    model_ = block_oracle({blocks / divisor, real_.shape().profile});
    for (const key k : keys_) model_.insert(k);
  }

  std::string checked() const {
    if (!std::ranges::equal(real_.bytes(), model_.bytes()))
      return "bits differ from the specification";
    if (count_maybe(ask(real_, keys_)) != keys_.size()) return "false negative";
    return {};
  }

  template <class K>
  std::string asked(const std::vector<K>& ks) const {
    std::vector<char> want;
    for (const K& k : ks) want.push_back(model_.may_contain(hashed(k)));
    if (ask_one_by_one(real_, ks) != want) return "answers differ";
    if (ask(real_, ks) != want) return "a batch of answers differs";
    std::vector<std::uint64_t> bits((ks.size() + 63) / 64);
    real_.may_contain(std::span<const K>(ks), std::span<std::uint64_t>(bits));
    for (std::size_t i = 0; i < ks.size(); ++i)
      if ((bits[i / 64] >> (i % 64) & 1) != static_cast<unsigned>(want[i]))
        return "a bitmap of answers differs";
    return {};
  }
  static key hashed(key k) { return k; }
  key hashed(std::string_view s) const { return real_.hash(s); }

  F real_;
  block_oracle model_;
  std::vector<key> keys_;
};

}  // namespace bloomery::testing
