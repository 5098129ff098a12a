// Something to measure.  A new kind of filter is filter_subject<F>, if it is
// `insertable`, or one class of its own.
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
#include "kit/latency.hpp"

namespace bloomery::bench {

class subject {
 public:
  virtual ~subject() = default;

  virtual void clear() = 0;
  virtual void insert_each(std::span<const key> ks) = 0;
  virtual void insert_batched(std::span<const key> ks) = 0;
  virtual void insert_batched(std::span<const std::string_view> ks) = 0;

  // How many of them may be present.
  virtual std::uint64_t count_each(std::span<const key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const std::string_view> ks) const = 0;
  virtual std::vector<std::uint64_t> lookup_ticks(std::span<const key> ks) const = 0;

  virtual bloomery::hasher hasher() const = 0;
  virtual double realised_fpr() const = 0;
  virtual std::span<const std::byte> bytes() const = 0;
  virtual void* object() noexcept { return nullptr; }  // the filter, for loops of v3.hpp
};

using subject_maker = std::function<result<std::unique_ptr<subject>>()>;

template <insertable F>
class filter_subject final : public subject {
 public:
  explicit filter_subject(F filter) : filter_(std::move(filter)) {}

  void clear() override { filter_.clear(); }
  void insert_each(std::span<const key> ks) override {
    for (const key k : ks) filter_.insert(k);
  }
  void insert_batched(std::span<const key> ks) override { in_batches(ks); }
  void insert_batched(std::span<const std::string_view> ks) override { in_batches(ks); }

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
  double realised_fpr() const override { return filter_.realised_fpr(); }
  std::span<const std::byte> bytes() const override { return filter_.bytes(); }
  void* object() noexcept override { return &filter_; }

 private:
  // As large as a caller's batch may be; its answers stay in the L1 cache.
  static constexpr std::size_t batch = 1024;

  template <class Key>
  void in_batches(std::span<const Key> ks) {
    for (std::size_t i = 0; i < ks.size(); i += batch)
      filter_.insert(ks.subspan(i, std::min(batch, ks.size() - i)));
  }

  template <class Key>
  std::uint64_t count_in_batches(std::span<const Key> ks) const {
    std::array<bool, batch> answers;
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < ks.size(); i += batch) {
      const auto part = ks.subspan(i, std::min(batch, ks.size() - i));
      const auto out = std::span(answers).first(part.size());
      filter_.may_contain(part, out);
      yes += count_yes(out);
    }
    return yes;
  }

  F filter_;
};

}  // namespace bloomery::bench
