// A filter under attack, by its public interface: insert and query.
//
// Keys are bytes; those of a filter of integers are the 8 little-endian bytes of one.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>

#include "invert.hpp"
#include "must.hpp"

namespace attack {

class victim {
 public:
  virtual ~victim() = default;
  virtual void insert(std::string_view key) = 0;
  virtual bool may_contain(std::string_view key) const = 0;
  virtual double rate() const = 0;  // of false positives, from its bits
};

// F: a filter of this library.
template <class F>
class native_victim final : public victim {
 public:
  explicit native_victim(F f)
      : filter_(std::move(f)),
        integers_(filter_.hasher().source() == bloomery::key_source::integers) {}

  void insert(std::string_view key) override { filter_.insert(hashed(key)); }
  bool may_contain(std::string_view key) const override {
    return filter_.may_contain(hashed(key));
  }
  double rate() const override { return filter_.realised_fpr(); }

 private:
  bloomery::key hashed(std::string_view key) const {
    return integers_ ? filter_.hash_u64(load(key)) : filter_.hash(key);
  }
  F filter_;
  bool integers_;
};

// Another system's.
class foreign_victim final : public victim {
 public:
  explicit foreign_victim(bloomery::foreign_filter f) : filter_(std::move(f)) {}
  void insert(std::string_view key) override { must(filter_.insert(key)); }
  bool may_contain(std::string_view key) const override {
    return filter_.may_contain(key);
  }
  double rate() const override { return filter_.realised_fpr(); }

 private:
  bloomery::foreign_filter filter_;
};

}  // namespace attack
