// Drives a portable_bloom and the textbook filter side by side, operation by operation.
//
// Shared by the property tests (operations from RapidCheck) and by fuzz_ops (from bytes).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <bloomery/portable_bloom.hpp>

#include "ask.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery::testing {

struct op {
  std::uint8_t what;     // which operation, modulo their number
  std::uint16_t amount;  // how many keys, or how long a string
  std::uint64_t value;   // a key, or where its keys come from
};

class op_machine {
 public:
  explicit op_machine(bloom_layout layout)
      : real_(must(portable_bloom::make(layout))), model_(layout.bits, layout.hashes) {}

  // What went wrong, or nothing.
  std::string run(const op& o) {
    switch (o.what % 9) {
      case 0:
        real_.insert(remember(key::from_bits(o.value)));
        break;
      case 1: {
        const auto ks = batch(o);
        real_.insert(std::span<const key>(ks));
        for (const key k : ks) remember(k);
        break;
      }
      case 2: {
        const std::string s = texts({o.what, 1, o.value})[0];
        real_.insert(std::string_view(s));
        remember(key::from_bits(textbook_hash(s)));
        break;
      }
      case 3: {
        const auto strings = texts(o);
        const auto some = views(strings);
        real_.insert(std::span<const std::string_view>(some));
        for (const auto s : some) remember(key::from_bits(textbook_hash(s)));
        break;
      }
      case 4:
        return asked(batch(o));
      case 5:
        return asked(texts(o));
      case 6: {
        auto other =
            must(portable_bloom::make(bloom_layout{real_.bits(), real_.hashes()}));
        const auto ks = batch(o);
        other.insert(std::span<const key>(ks));
        must(real_.merge(other));
        for (const key k : ks) remember(k);
        break;
      }
      case 7:
        real_.clear();
        model_.clear();
        keys_.clear();
        break;
      default: {
        const auto bytes = must(real_.encode());
        if (!std::ranges::equal(bytes.bytes(), model_.file()))
          return "encoded bytes differ";
        real_ = must(portable_bloom::decode(bytes.bytes()));
      }
    }
    return checked();
  }

 private:
  key remember(key k) {
    model_.insert(k);
    keys_.insert(k.bits());
    return k;
  }

  // Up to 300 keys, some with halves at the ends of their range.
  static std::vector<key> batch(const op& o) {
    auto ks = keys(o.value, o.amount % 300);
    constexpr std::uint64_t ends[] = {0, ~std::uint64_t{0}, 0xffffffff,
                                      0xffffffff00000000};
    for (std::size_t i = 0; i < ks.size(); i += 17)
      ks[i] = key::from_bits(ends[i / 17 % 4] ^ (i % 2 == 0 ? o.value : 0));
    return ks;
  }
  static std::vector<std::string> texts(const op& o) {
    return mixed_strings(o.value, o.amount % 300);
  }

  // Bytes as in the textbook, and "perhaps" for every key that went in.
  std::string checked() const {
    if (!std::ranges::equal(real_.bytes(), model_.bytes()))
      return "bits differ from the textbook";
    std::vector<key> all;
    for (const std::uint64_t k : keys_) all.push_back(key::from_bits(k));
    if (count_maybe(ask(real_, all)) != all.size()) return "false negative in a batch";
    if (count_maybe(ask_one_by_one(real_, all)) != all.size()) return "false negative";
    return {};
  }

  std::string asked(const std::vector<key>& ks) const {
    const auto want = ask_one_by_one(model_, ks);
    if (ask_one_by_one(real_, ks) != want) return "answers differ from the textbook";
    if (ask(real_, ks) != want) return "a batch of answers differs from the textbook";
    return {};
  }
  std::string asked(const std::vector<std::string>& strings) const {
    const auto some = views(strings);
    const auto want = ask_one_by_one(model_, some);
    if (ask_one_by_one(real_, some) != want) return "answers for strings differ";
    if (ask(real_, some) != want) return "a batch of answers for strings differs";
    return {};
  }

  portable_bloom real_;
  textbook_bloom model_;
  std::unordered_set<std::uint64_t> keys_;
};

}  // namespace bloomery::testing
