// The shapes a filter can have.  Each filter's .cpp asserts the shapes it claims.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
// clang-format off

// Answers "perhaps" or "certainly not".  Never "no" for a key that is in the set.
template <class F>
concept filter = std::movable<F> &&
    requires(const F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<const std::string_view> texts, std::span<bool> out) {
      { f.may_contain(k) } noexcept -> std::same_as<bool>;
      { f.may_contain(text) } noexcept -> std::same_as<bool>;
      { f.may_contain(ks, out) } noexcept -> std::same_as<void>;
      { f.may_contain(texts, out) } noexcept -> std::same_as<void>;
      { f.hasher() } noexcept -> std::same_as<hasher>;
      { f.hash(text) } noexcept -> std::same_as<key>;
      { f.expected_fpr(std::uint64_t{}) } noexcept -> std::same_as<double>;
      { f.realised_fpr() } noexcept -> std::same_as<double>;
      { f.estimated_keys() } noexcept -> std::same_as<double>;
      { f.fill() } noexcept -> std::same_as<double>;
      { f.capacity() } noexcept -> std::same_as<std::uint64_t>;
      { f.size_in_bytes() } noexcept -> std::same_as<std::size_t>;
    };

// Grows key by key and never refuses one: the Bloom family.
template <class F>
concept insertable = filter<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<const std::string_view> texts) {
      { f.insert(k) } noexcept -> std::same_as<void>;
      { f.insert(text) } noexcept -> std::same_as<void>;
      { f.insert(ks) } noexcept -> std::same_as<void>;
      { f.insert(texts) } noexcept -> std::same_as<void>;
      { f.clear() } noexcept -> std::same_as<void>;
    };

// Grows until it is full: cuckoo, quotient.  A refused key has changed nothing.
template <class F>
concept bounded = filter<F> && requires(F& f, key k) {
  { f.try_insert(k) } noexcept -> std::same_as<bool>;
};

// Forgets a key that was inserted.
template <class F>
concept erasable = filter<F> && requires(F& f, key k) {
  { f.erase(k) } noexcept -> std::same_as<bool>;
};

// Made whole from all its keys: xor, fuse, ribbon.
template <class F>
concept buildable = filter<F> && requires(std::span<const key> ks) {
  { F::build(ks) } -> std::same_as<result<F>>;
};

// Takes in another filter of the same layout and hasher: afterwards it answers
// "perhaps" wherever either did.
template <class F>
concept mergeable = filter<F> && requires(F& f, const F& other) {
  { f.merge(other) } noexcept -> std::same_as<result<void>>;
};

}  // namespace bloomery::inline v1
