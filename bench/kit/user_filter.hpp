// A filter of any kind behind calls that take keys as users have them: Key is
// std::uint64_t or std::string_view.
//
// Each virtual call is a whole loop over many keys: it costs nothing per key, and the
// one-key calls inside are inlined as in a user's program.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/filter.hpp>
#include <bloomery/result.hpp>

#include "kit/count.hpp"
#include "kit/inserts.hpp"

namespace bloomery::bench {

template <class Key>
class user_filter {
 public:
  virtual ~user_filter() = default;

  // Nothing happens in a filter that takes no keys.  Inserts throw std::runtime_error if
  // a key is refused.
  virtual void clear() = 0;
  virtual void insert_each(std::span<const Key> ks) = 0;
  virtual void insert_batched(std::span<const Key> ks) = 0;
  // How many may be present.
  virtual std::uint64_t count_each(std::span<const Key> ks) const = 0;
  virtual std::uint64_t count_batched(std::span<const Key> ks) const = 0;

  virtual bool forgets() const = 0;
  virtual std::size_t bytes() const = 0;
};

// What takes keys of type Key: a kind, or its form for integers.
template <class F, class Key>
struct form_for {
  using type = F;
};
template <class F>
struct form_for<F, std::uint64_t> {
  using type = typename F::integers;
};

// F: a type of filter_types.
template <askable F, class Key>
class user_filter_of final : public user_filter<Key> {
 public:
  using form = typename form_for<F, Key>::type;

  explicit user_filter_of(form f) : filter_(std::move(f)) {}

  void clear() override {
    if constexpr (growing<F>) filter_.clear();
  }
  void insert_each(std::span<const Key> ks) override {
    if constexpr (insertable<F>)
      for (const Key& k : ks) filter_.insert(k);
    else if constexpr (bounded<F>)
      for (const Key& k : ks) require_accepted(filter_.try_insert(k).has_value());
  }
  void insert_batched(std::span<const Key> ks) override {
    for (std::size_t i = 0; i < ks.size(); i += batch_keys) {
      const auto part = ks.subspan(i, std::min(batch_keys, ks.size() - i));
      if constexpr (insertable<F>)
        filter_.insert(part);
      else if constexpr (bounded<F>)
        require_accepted(filter_.try_insert(part) == part.size());
    }
  }
  std::uint64_t count_each(std::span<const Key> ks) const override {
    std::uint64_t yes = 0;
    for (const Key& k : ks) yes += filter_.may_contain(k);
    return yes;
  }
  std::uint64_t count_batched(std::span<const Key> ks) const override {
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

  bool forgets() const override { return forgetting<F>; }
  std::size_t bytes() const override { return filter_.size_in_bytes(); }

 private:
  form filter_;
};

// How to make one.
template <class Key>
struct user_filter_maker {
  using made = result<std::unique_ptr<user_filter<Key>>>;

  made (*make)(std::uint64_t keys, double fpr);            // null: it takes no keys
  made (*build)(std::span<const key> hashed, double fpr);  // null: by make and inserts
};

template <askable F, class Key>
result<std::unique_ptr<user_filter<Key>>> owned(
    result<typename user_filter_of<F, Key>::form> f) {
  if (!f) return f.error();
  return std::unique_ptr<user_filter<Key>>(new user_filter_of<F, Key>(*std::move(f)));
}

template <askable F, class Key>
constexpr user_filter_maker<Key> maker_of() noexcept {
  using form = typename user_filter_of<F, Key>::form;
  if constexpr (growing<F>)
    return {[](std::uint64_t keys, double fpr) {
              return owned<F, Key>(form::make({.keys = keys, .fpr = fpr}));
            },
            nullptr};
  else
    return {
        nullptr, [](std::span<const key> hashed, double fpr) {
          return owned<F, Key>(form::build(hashed, {.keys = hashed.size(), .fpr = fpr}));
        }};
}

}  // namespace bloomery::bench
