// Where the filter of a handle lies, of which type it is, and its hasher: a call with one
// key is hashed inline, the same for every kind, and then one jump with its arguments in
// registers.  std::visit, which passes them through memory, takes half a nanosecond more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <bloomery/any_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::c_abi {

// Types: a type_list with the type of the filter.
template <class Types>
class held {
 public:
  // REQUIRES: the filter stays where it is, and keeps its type and its hasher
  template <class F>
  explicit held(F& f) noexcept
      : at_(&f), hash_(f.hasher()), which_(place_of<F>(Types{})) {}

  const hasher& hash() const noexcept { return hash_; }

  // Use{}(filter, args...)
  template <class Use, class... Args>
  auto call(Args... args) const noexcept {
    static constexpr auto calls = calls_of<Use, Args...>(Types{});
    return calls[which_](at_, args...);
  }

 private:
  template <class F, class... Fs>
  static constexpr std::uint8_t place_of(detail::type_list<Fs...>) noexcept {
    static_assert((std::is_same_v<F, Fs> || ...) && sizeof...(Fs) < 256);
    std::uint8_t place = 0;
    (void)((std::is_same_v<F, Fs> || (++place, false)) || ...);
    return place;
  }
  template <class Use, class F, class... Args>
  static auto call_of(void* at, Args... args) noexcept {
    return Use{}(*static_cast<F*>(at), args...);
  }
  template <class Use, class... Args, class... Fs>
  static constexpr auto calls_of(detail::type_list<Fs...>) noexcept {
    return std::array{&call_of<Use, Fs, Args...>...};
  }

  void* at_;
  hasher hash_;
  std::uint8_t which_;
};

// --- what is called with one key ---

struct ask_one {
  bool operator()(const auto& f, key k) const noexcept { return f.may_contain(k); }
};

}  // namespace bloomery::c_abi
