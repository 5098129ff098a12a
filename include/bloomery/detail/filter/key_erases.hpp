// The calls of filters that can erase keys, written once over try_insert(key) and
// erase_present(key): receipts, text, and keys as callers have them (key_calls.hpp).
//
//   class my_filter : public key_erases<my_filter> {
//     using key_erases<my_filter>::try_insert;      beside its own overloads
//
// F has hasher(), receipt_scope(), count(key) and the two calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/key.hpp>
#include <bloomery/key_types.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class F>
class key_erases : public key_changes<F> {
 public:
  using key_changes<F>::try_insert;
  using key_changes<F>::erase_present;

  result<void> try_insert(std::string_view bytes) noexcept {
    return self().try_insert(self().hasher().hash(bytes));
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    if (auto ok = self().try_insert(k); !ok) return ok.error();
    return receipt::issue(self().hasher(), k, self().receipt_scope());
  }
  result<receipt> try_insert_with_receipt(std::string_view bytes) noexcept {
    return try_insert_with_receipt(self().hasher().hash(bytes));
  }
  // Safe for all other keys.  The receipt is used up if it succeeds.
  result<void> erase(receipt&& r) noexcept {
    const auto k = r.key_for(self().hasher(), self().receipt_scope());
    if (!k) return k.error();
    auto done = self().erase_present(*k);
    if (done) r.use_up();
    return done;
  }
  result<void> erase_present(std::string_view bytes) noexcept {
    return self().erase_present(self().hasher().hash(bytes));
  }
  std::uint64_t count(std::string_view bytes) const noexcept {
    return self().count(self().hasher().hash(bytes));
  }

  // Integers and bytes.
  template <class T>
  requires(!detail::taken_as_is<const T&>) result<receipt> try_insert_with_receipt(
      const T& x)
  noexcept { return try_insert_with_receipt(of(x)); }
  template <class T>
  requires(!detail::taken_as_is<const T&>) std::uint64_t count(const T& x)
  const noexcept { return self().count(of(x)); }

 private:
  template <class T>
  key of(const T& x) const noexcept {
    if constexpr (single_key<T>)
      return key_of(self().hasher(), x);
    else
      return detail::refuse_key<T>(), key();
  }
  F& self() noexcept { return static_cast<F&>(*this); }
  const F& self() const noexcept { return static_cast<const F&>(*this); }
};

}  // namespace bloomery::inline v1
