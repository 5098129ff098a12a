// The form of a filter type: what kinds/NAME.cpp is made of.
#pragma once

#include <istream>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/concurrent.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "encoded.hpp"
#include "filter_types.hpp"
#include "form.hpp"
#include "must.hpp"
#include "recipe/concurrent.hpp"

namespace bloomery::testing {

// Sizes that depend on the keys: by which share they may differ from what is planned.
template <class Recipe>
concept scattered_recipe = requires {
  { Recipe::size_scatter } -> std::convertible_to<double>;
};

template <askable F>
class held_filter final : public subject::held {
 public:
  explicit held_filter(F f) : f_(std::move(f)) {}

  bool may_contain(key k) const override { return f_.may_contain(k); }
  bool may_contain(std::string_view text) const override { return f_.may_contain(text); }
  void may_contain(std::span<const key> ks, std::span<bool> out) const override {
    f_.may_contain(ks, out);
  }
  void may_contain(std::span<const std::string_view> texts,
                   std::span<bool> out) const override {
    f_.may_contain(texts, out);
  }
  key hash(std::string_view text) const override { return f_.hash(text); }
  double expected_fpr(std::uint64_t keys) const override { return f_.expected_fpr(keys); }
  double realised_fpr() const override { return f_.realised_fpr(); }
  double estimated_keys() const override { return f_.estimated_keys(); }
  double fill() const override { return f_.fill(); }
  std::uint64_t capacity() const override { return f_.capacity(); }
  std::size_t size_in_bytes() const override { return f_.size_in_bytes(); }
  bool equals(const held& other) const override { return f_ == same(other); }
  std::unique_ptr<held> moved() override {
    return std::make_unique<held_filter>(std::move(f_));
  }
  void move_from(held& other) override {
    f_ = std::move(dynamic_cast<held_filter&>(other).f_);
  }

  void insert(key k) override { insert_any(k); }
  void insert(std::string_view text) override { insert_any(text); }
  void insert(std::span<const key> ks) override { insert_any(ks); }
  void insert(std::span<const std::string_view> texts) override { insert_any(texts); }
  void insert(std::span<const std::byte> bytes) override { insert_any(bytes); }
  void insert(const std::vector<std::string>& texts) override { insert_any(texts); }
  void insert(const std::list<std::string>& texts) override { insert_any(texts); }
  void insert_words(std::istream& in) override {
    using word = std::istream_iterator<std::string>;
    if constexpr (insertable<F>)
      f_.insert(word(in), word());
    else if constexpr (bounded<F>)
      f_.try_insert(word(in), word());
    else
      refuse();
  }
  std::size_t insert_up_to(std::span<const key> ks) override {
    if constexpr (insertable<F>)
      return f_.insert(ks), ks.size();
    else
      return try_insert(ks);
  }
  result<void> try_insert(key k) override {
    if constexpr (bounded<F>)
      return f_.try_insert(k);
    else
      refuse();
  }
  std::size_t try_insert(std::span<const key> ks) override {
    if constexpr (bounded<F>)
      return f_.try_insert(ks);
    else
      refuse();
  }
  result<receipt> try_insert_with_receipt(key k) override {
    if constexpr (erasable<F>)
      return f_.try_insert_with_receipt(k);
    else
      refuse();
  }
  result<void> erase(receipt&& r) override {
    if constexpr (erasable<F>)
      return f_.erase(std::move(r));
    else
      refuse();
  }
  result<void> erase_present(key k) override {
    if constexpr (erasable<F>)
      return f_.erase_present(k);
    else
      refuse();
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) override {
    if constexpr (erasable<F>)
      return f_.erase_present(ks, erased);
    else
      refuse();
  }
  std::uint64_t count(key k) const override {
    if constexpr (counting<F>)
      return f_.count(k);
    else
      refuse();
  }
  std::vector<bool> insert_if_absent(const std::vector<std::string>& texts) override {
    std::vector<bool> first;
    if constexpr (deduplicating<F>)
      f_.insert_if_absent(texts, std::back_inserter(first));
    else
      refuse();
    return first;
  }
  bool may_contain(std::span<const std::byte> bytes) const override {
    return f_.may_contain(bytes);
  }
  std::vector<bool> may_contain(const std::vector<std::string>& texts) const override {
    std::vector<bool> out;
    f_.may_contain(texts, std::back_inserter(out));
    return out;
  }
  std::unique_ptr<held> clone() const override {
    if constexpr (listed_filter<F>)
      return std::make_unique<held_filter>(must(f_.clone()));
    else
      refuse();
  }
  void clear() override {
    if constexpr (insertable<F> || bounded<F>)
      f_.clear();
    else
      refuse();
  }
  bool insert_if_absent(key k) override {
    if constexpr (deduplicating<F>)
      return f_.insert_if_absent(k);
    else
      refuse();
  }
  void insert_if_absent(std::span<const key> ks, std::span<bool> absent) override {
    if constexpr (deduplicating<F>)
      f_.insert_if_absent(ks, absent);
    else
      refuse();
  }
  result<void> merge(const held& other) override {
    if constexpr (mergeable<F>)
      return f_.merge(same(other));
    else
      refuse();
  }
  std::uint64_t retained() const override {
    if constexpr (!forgetting<F>)
      return std::numeric_limits<std::uint64_t>::max();
    else
      return f_.retention().keys;
  }
  std::vector<std::byte> encoded() const override {
    if constexpr (encodable<F>)
      return testing::encoded(f_);
    else
      refuse();
  }

 private:
  static const F& same(const held& other) {
    return dynamic_cast<const held_filter&>(other).f_;
  }
  [[noreturn]] static void refuse() {
    throw std::logic_error("a law asks for what this filter cannot do");
  }
  template <class K>
  void insert_any(const K& k) {
    if constexpr (insertable<F>)
      f_.insert(k);
    else if constexpr (bounded<F>)
      demand(f_.try_insert(k), k);
    else
      refuse();
  }
  // Every key fitted.
  template <class K>
  static void demand(const result<void>& in, const K&) {
    must(in);
  }
  template <class K>
  static void demand(std::size_t in, const K& ks) {
    if (in != ks.size()) throw std::logic_error("keys that should fit were refused");
  }

  F f_;
};

template <askable F>
subject subject_of(F f) {
  return subject(std::make_unique<held_filter<F>>(std::move(f)));
}

template <askable F>
form form_of(std::string name) {
  using made = recipe<F>;
  form out;
  out.name = std::move(name);
  out.grows = insertable<F> || bounded<F>;
  out.is_insertable = insertable<F>;
  out.is_bounded = out.grows && !insertable<F>;
  out.forgets = forgetting<F>;
  out.counts_keys = !decaying<F>;
  out.is_a_set = out.grows && !erasable<F> && !forgetting<F>;
  out.is_erasable = erasable<F>;
  out.is_counting = counting<F>;
  out.sticks = erasable<F> && insertable<F>;
  out.is_mergeable = mergeable<F>;
  out.is_deduplicating = deduplicating<F>;
  if constexpr (shared_form<F>)
    out.adds_memory = F::plain::kind.grows;
  else
    out.adds_memory = F::kind.grows;
  out.is_stored = encodable<F>;
  out.is_plain = listed_filter<F>;
  out.of = [](std::span<const key> ks, double fpr) {
    return subject_of(made::of(ks, fpr));
  };
  out.empty = [](std::uint64_t n, double fpr) { return subject_of(made::empty(n, fpr)); };
  out.shapes = [] {
    std::vector<form::named_shape> shapes;
    for (auto& [layout, f] : made::shapes())
      shapes.push_back({layout, subject_of(std::move(f))});
    return shapes;
  };
  out.sized = &made::sized;
  if constexpr (scattered_recipe<made>) out.size_scatter = made::size_scatter;
  if constexpr (encodable<F>) {
    out.is_checksummed = made::checksummed;
    out.encoded_size = &made::encoded_size;
    out.decode = [](std::span<const std::byte> bytes) -> result<subject> {
      auto f = F::decode(bytes);
      if (!f) return f.error();
      return subject_of(*std::move(f));
    };
  }
  return out;
}

// The kind itself and what of it threads may share.
template <askable F>
std::vector<form> forms_of_kind() {
  const std::string name = kind_name<F>();
  std::vector<form> out{form_of<F>(name)};
  if constexpr (shareable<F>) out.push_back(form_of<concurrent<F>>("wait_free_" + name));
  if constexpr (lockable<F>)
    out.push_back(form_of<concurrent<F, locked>>("locked_" + name));
  return out;
}

}  // namespace bloomery::testing
