// Something to measure: filter_subject<F> for a filter of any kind, or a separate
// class.
//
// Each virtual call is a whole loop over many keys: it costs nothing per key, and the
// one-key calls inside are inlined as in a user's program.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/filter.hpp>
#include <bloomery/result.hpp>

#include "kit/count.hpp"
#include "kit/erases.hpp"
#include "kit/inserts.hpp"
#include "kit/latency.hpp"

namespace bloomery::bench {

class subject {
 public:
  virtual ~subject() = default;

  // How many of them may be present.
  virtual std::uint64_t count_each(std::span<const key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const std::string_view> ks) const = 0;
  virtual std::vector<std::uint64_t> lookup_ticks(std::span<const key> ks) const = 0;

  virtual bloomery::hasher hasher() const = 0;
  // It keeps recent keys only: of those that it was given, some may be gone.
  virtual bool forgets() const { return false; }
  virtual double realised_fpr() const = 0;
  virtual double fill() const = 0;
  virtual std::span<const std::byte> bytes() const = 0;
  virtual void* object() noexcept { return nullptr; }  // the filter, for loops of v3.hpp
};

// One that takes keys one after the other.
class growing_subject : public subject {
 public:
  virtual void clear() = 0;
  // Throw std::runtime_error if a key is refused.
  virtual void insert_each(std::span<const key> ks) = 0;
  virtual void insert_batched(std::span<const key> ks) = 0;
  virtual void insert_batched(std::span<const std::string_view> ks) = 0;

  // It takes every key, and the same keys give the same bytes, by whatever calls.
  // Otherwise it may be full.
  virtual bool sets_bits() const = 0;

  // How many of them were erased.  REQUIRES: can_erase()
  virtual bool can_erase() const { return false; }
  virtual std::uint64_t erase_each(std::span<const key>) { return 0; }
  virtual std::uint64_t erase_batched(std::span<const key>) { return 0; }
};

using subject_maker = std::function<result<std::unique_ptr<growing_subject>>()>;

// The lookups of both.
template <askable F, class Base>
class lookup_subject : public Base {
 public:
  explicit lookup_subject(F filter) : filter_(std::move(filter)) {}

  std::uint64_t count_each(std::span<const key> ks) const override {
    std::uint64_t yes = 0;
    for (const key k : ks) yes += filter_.may_contain(k);
    return yes;
  }
  std::uint64_t count_batched(std::span<const key> ks) const override {
    return count_in_batches(ks);
  }
  std::uint64_t count_batched(std::span<const std::string_view> ks) const override {
    return count_in_batches(ks);
  }
  std::vector<std::uint64_t> lookup_ticks(std::span<const key> ks) const override {
    return ticks_of_each(ks, [&](key k) { return filter_.may_contain(k); });
  }

  bloomery::hasher hasher() const override { return filter_.hasher(); }
  bool forgets() const override { return forgetting<F>; }
  double realised_fpr() const override { return filter_.realised_fpr(); }
  double fill() const override { return filter_.fill(); }
  std::span<const std::byte> bytes() const override { return filter_.bytes(); }
  void* object() noexcept override { return &filter_; }

 protected:
  F filter_;

 private:
  template <class Key>
  std::uint64_t count_in_batches(std::span<const Key> ks) const {
    std::array<bool, batch_keys> answers;
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < ks.size(); i += batch_keys) {
      const auto part = ks.subspan(i, std::min(batch_keys, ks.size() - i));
      const auto out = std::span(answers).first(part.size());
      filter_.may_contain(part, out);
      yes += count_yes(out);
    }
    return yes;
  }
};

// A filter of a kind that is only built.
template <askable F>
class filter_subject final : public lookup_subject<F, subject> {
 public:
  using lookup_subject<F, subject>::lookup_subject;
};

template <growing F>
class filter_subject<F> final : public lookup_subject<F, growing_subject> {
 public:
  using lookup_subject<F, growing_subject>::lookup_subject;

  void clear() override { this->filter_.clear(); }
  void insert_each(std::span<const key> ks) override {
    bench::insert_each(this->filter_, ks);
  }
  void insert_batched(std::span<const key> ks) override {
    insert_batches(this->filter_, ks);
  }
  void insert_batched(std::span<const std::string_view> ks) override {
    insert_batches(this->filter_, ks);
  }
  bool sets_bits() const override { return insertable<F>; }

  bool can_erase() const override { return erasable<F>; }
  std::uint64_t erase_each(std::span<const key> ks) override {
    if constexpr (erasable<F>)
      return bench::erase_each(this->filter_, ks);
    else
      return growing_subject::erase_each(ks);
  }
  std::uint64_t erase_batched(std::span<const key> ks) override {
    if constexpr (erasable<F>)
      return erase_batches(this->filter_, ks);
    else
      return growing_subject::erase_batched(ks);
  }
};
template <class F>
filter_subject(F) -> filter_subject<F>;

}  // namespace bloomery::bench
