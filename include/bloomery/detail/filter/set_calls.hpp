// The calls of a filter_set that follow from its hasher and its batch of keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Set: has size() and may_contain(std::span<const key>, std::span<std::uint64_t>).
template <class Set>
class set_calls {
 public:
  // Words of answers for one key.
  std::size_t words() const noexcept { return (self().size() + 63) / 64; }

  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return hasher_.hash(bytes);
  }
  key hash(std::nullptr_t) const = delete;
  // Integers and bytes: key_types.hpp.
  template <single_key T>
  requires(!detail::taken_as_is<const T&>) key hash(const T& x)
  const noexcept { return key_of(hasher_, x); }
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return hasher_.hash_u64(x);
  }
  BLOOMERY_INLINE key from_hash(std::uint64_t h) const noexcept {
    return hasher_.from_hash(h);
  }
  const bloomery::hasher& hasher() const noexcept { return hasher_; }

  // Bit f % 64 of word f / 64: filter f may contain the key.  The bits after the last are
  // 0.  REQUIRES: out.size() == words()
  void may_contain(key k, std::span<std::uint64_t> out) const noexcept {
    self().may_contain(std::span<const key>(&k, 1), out);
  }
  // A key that is not of the hasher's source is possibly present in all filters.
  void may_contain(std::string_view bytes, std::span<std::uint64_t> out) const noexcept {
    if (!detail::takes<std::string_view>(*this)) return answer_all(out);
    may_contain(hash(bytes), out);
  }
  void may_contain(std::nullptr_t, std::span<std::uint64_t>) const = delete;
  template <single_key T>
  requires(!detail::taken_as_is<const T&>) void may_contain(
      const T& x, std::span<std::uint64_t> out) const noexcept {
    if (!detail::takes<T>(*this)) return answer_all(out);
    may_contain(hash(x), out);
  }

 protected:
  explicit set_calls(const bloomery::hasher& h) noexcept : hasher_(h) {}

 private:
  void answer_all(std::span<std::uint64_t> out) const noexcept {
    detail::require(out.size() == words(),
                    "a batch must have exactly words() words of answers for each key");
    for (std::size_t w = 0; w < out.size(); ++w) {
      const std::size_t left = self().size() - 64 * w;
      out[w] = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    }
  }
  const Set& self() const noexcept { return static_cast<const Set&>(*this); }

  bloomery::hasher hasher_;
};

}  // namespace bloomery::inline v1
