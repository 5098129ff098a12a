// The filters that the laws are about, behind virtual calls: a law is compiled once, and
// a kind once, instead of every law for every kind.
//
// A form is a filter type: a kind itself, or one of its versions for several threads.
// Each kind has its file in kinds/, with its forms; one of the list without does not
// link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <list>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/receipt.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

#include "test_key.hpp"

namespace bloomery::testing {

// Calls that a form does not have throw std::logic_error.
class subject {
 public:
  struct held {
    virtual ~held() = default;
    virtual bool may_contain(key k) const = 0;
    virtual bool may_contain(std::string_view text) const = 0;
    virtual void may_contain(std::span<const key> ks, std::span<bool> out) const = 0;
    virtual void may_contain(std::span<const std::string_view> texts,
                             std::span<bool> out) const = 0;
    virtual key hash(std::string_view text) const = 0;
    virtual double expected_fpr(std::uint64_t keys) const = 0;
    virtual double realised_fpr() const = 0;
    virtual double estimated_keys() const = 0;
    virtual double fill() const = 0;
    virtual std::uint64_t capacity() const = 0;
    virtual std::size_t size_in_bytes() const = 0;
    virtual bool equals(const held& other) const = 0;
    virtual std::unique_ptr<held> moved() = 0;
    virtual void move_from(held& other) = 0;
    // growing: every key must fit
    virtual void insert(key k) = 0;
    virtual void insert(std::string_view text) = 0;
    virtual void insert(std::span<const key> ks) = 0;
    virtual void insert(std::span<const std::string_view> texts) = 0;
    virtual void clear() = 0;
    // growing: as many as fit, in order; their number
    virtual std::size_t insert_up_to(std::span<const key> ks) = 0;
    // growing, by the calls of key_types.hpp
    virtual void insert(std::span<const std::byte> bytes) = 0;
    virtual void insert(const std::vector<std::string>& texts) = 0;
    virtual void insert(const std::list<std::string>& texts) = 0;
    virtual void insert_words(std::istream& in) = 0;
    virtual bool may_contain(std::span<const std::byte> bytes) const = 0;
    virtual std::vector<bool> may_contain(
        const std::vector<std::string>& texts) const = 0;
    // plain
    virtual std::unique_ptr<held> clone() const = 0;
    // bounded
    virtual result<void> try_insert(key k) = 0;
    virtual std::size_t try_insert(std::span<const key> ks) = 0;
    // erasable
    virtual result<receipt> try_insert_with_receipt(key k) = 0;
    virtual result<void> erase(receipt&& r) = 0;
    virtual result<void> erase_present(key k) = 0;
    virtual result<std::size_t> erase_present(std::span<const key> ks,
                                              std::span<bool> erased) = 0;
    // counting
    virtual std::uint64_t count(key k) const = 0;
    // deduplicating
    virtual std::vector<bool> insert_if_absent(const std::vector<std::string>& texts) = 0;
    virtual bool insert_if_absent(key k) = 0;
    virtual void insert_if_absent(std::span<const key> ks, std::span<bool> absent) = 0;
    // mergeable
    virtual result<void> merge(const held& other) = 0;
    // The last so many keys are found for certain.
    virtual std::uint64_t retained() const = 0;
    // stored
    virtual std::vector<std::byte> encoded() const = 0;
  };

  explicit subject(std::unique_ptr<held> f) : held_(std::move(f)) {}

  // All as the filter's own.
  template <class K>
  auto may_contain(const K& k) const {
    return held_->may_contain(k);
  }
  template <class K>
  void may_contain(std::span<const K> ks, std::span<bool> out) const {
    held_->may_contain(ks, out);
  }
  template <class K>
  void insert(const K& k) {
    held_->insert(k);
  }
  std::size_t insert_up_to(std::span<const key> ks) { return held_->insert_up_to(ks); }
  void insert_words(std::istream& in) { held_->insert_words(in); }
  std::vector<bool> insert_if_absent(const std::vector<std::string>& texts) {
    return held_->insert_if_absent(texts);
  }
  subject clone() const { return subject(held_->clone()); }
  void clear() { held_->clear(); }
  result<void> try_insert(key k) { return held_->try_insert(k); }
  std::size_t try_insert(std::span<const key> ks) { return held_->try_insert(ks); }
  result<receipt> try_insert_with_receipt(key k) {
    return held_->try_insert_with_receipt(k);
  }
  result<void> erase(receipt&& r) { return held_->erase(std::move(r)); }
  result<void> erase_present(key k) { return held_->erase_present(k); }
  result<std::size_t> erase_present(std::span<const key> ks, std::span<bool> erased) {
    return held_->erase_present(ks, erased);
  }
  std::uint64_t count(key k) const { return held_->count(k); }
  bool insert_if_absent(key k) { return held_->insert_if_absent(k); }
  void insert_if_absent(std::span<const key> ks, std::span<bool> absent) {
    held_->insert_if_absent(ks, absent);
  }
  std::uint64_t retained() const { return held_->retained(); }
  result<void> merge(const subject& other) { return held_->merge(*other.held_); }
  key hash(std::string_view text) const { return held_->hash(text); }
  double expected_fpr(std::uint64_t keys) const { return held_->expected_fpr(keys); }
  double realised_fpr() const { return held_->realised_fpr(); }
  double estimated_keys() const { return held_->estimated_keys(); }
  double fill() const { return held_->fill(); }
  std::uint64_t capacity() const { return held_->capacity(); }
  std::size_t size_in_bytes() const { return held_->size_in_bytes(); }
  friend bool operator==(const subject& a, const subject& b) {
    return a.held_->equals(*b.held_);
  }

  // A filter that this one was moved into, by construction or by assignment.
  subject moved() { return subject(held_->moved()); }
  void move_from(subject& other) { held_->move_from(*other.held_); }

  friend std::vector<std::byte> encoded(const subject& f) { return f.held_->encoded(); }

 private:
  std::unique_ptr<held> held_;
};

// A recipe (support/recipe/recipe.hpp) and what the filter can do.
struct form {
  struct named_shape {
    std::string name;
    subject filter;
  };

  std::string name;
  // Keys can be added one by one: by insert, or (bounded) by try_insert.
  bool grows = false;
  bool is_insertable = false, is_bounded = false;
  // Keeps recent keys only; `of` and `empty` make those that hold the keys they are
  // sized for.
  bool forgets = false;
  // Holds keys, not copies: to insert one again changes nothing.
  bool is_a_set = false;
  // Copies of keys can be deleted; holds up to max_copies of one.
  bool is_erasable = false, is_counting = false;
  // A count that was too high for its cell stays, whatever is erased.
  bool sticks = false;
  // estimated_keys is the number of keys that were inserted, not of those remembered.
  bool counts_keys = true;
  bool is_mergeable = false, is_stored = false, is_plain = false;
  bool is_deduplicating = false;
  // Takes more memory as keys come; its bits depend on their order from then on.
  bool adds_memory = false;

  subject (*of)(std::span<const key> ks, double fpr) = nullptr;
  subject (*empty)(std::uint64_t n, double fpr) = nullptr;
  std::vector<named_shape> (*shapes)() = nullptr;
  std::size_t (*sized)(std::uint64_t n, double fpr) = nullptr;
  // The share by which the size may differ, if it depends on the keys and not on their
  // number alone.
  double size_scatter = 0;
  // For forms that are stored.
  bool is_checksummed = false;
  std::size_t (*encoded_size)(std::size_t bytes) = nullptr;
  result<subject> (*decode)(std::span<const std::byte> bytes) = nullptr;
};

// Strings to insert: equal ones among them only where copies do not count.
inline std::vector<std::string> strings_for(const form& f, std::uint64_t seed,
                                            std::size_t n) {
  return f.is_a_set ? mixed_strings(seed, n) : distinct_strings(seed, n);
}

inline void PrintTo(const form& f, std::ostream* out) { *out << f.name; }

// The forms of one kind: kinds/NAME.cpp.
template <class F>
std::vector<form> forms_of();

// The forms of every kind, and those that have their own bytes.
std::vector<form> every_form();
std::vector<form> stored_forms();

using law = ::testing::TestWithParam<form>;

// Names the tests: .../wait_free_block instead of .../5.
inline std::string form_name(const ::testing::TestParamInfo<form>& info) {
  return info.param.name;
}

}  // namespace bloomery::testing
