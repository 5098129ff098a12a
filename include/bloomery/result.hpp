// result<T>: a T, or the reason there is none.
//
// The subset of C++23 std::expected<T, error> that we use, under the same names, so
// that one day this file becomes an alias.  Nothing here allocates or throws.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace bloomery::inline v1 {

// The sort of failure; error::what says which one.
enum class errc : std::uint8_t {
  invalid_argument = 1,  // a parameter is outside its documented range
  too_large,             // the request does not fit the address space or the format
  out_of_memory,
  unattainable,  // the mathematics cannot deliver the rate that was asked for
  corrupt,       // bytes that no writer of this format wrote
  unsupported,   // a valid format, version or kind that this build cannot read, or a call
                 // that the kind does not have
  incompatible,  // two filters that cannot be combined
  io,            // the operating system refused; `asked` holds its errno
  // A refused key has changed nothing:
  full,             // no room for it
  not_present,      // it is not in the filter, so it cannot be erased
  too_many_copies,  // it is in the filter as often as the kind can hold one key
};

// As in spec/conformance.md: "invalid_argument", "too_large", ...
constexpr const char* name_of(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
      return "invalid_argument";
    case errc::too_large:
      return "too_large";
    case errc::out_of_memory:
      return "out_of_memory";
    case errc::unattainable:
      return "unattainable";
    case errc::corrupt:
      return "corrupt";
    case errc::unsupported:
      return "unsupported";
    case errc::incompatible:
      return "incompatible";
    case errc::io:
      return "io";
    case errc::full:
      return "full";
    case errc::not_present:
      return "not_present";
    case errc::too_many_copies:
      return "too_many_copies";
  }
  return "unknown";
}

// No allocation and no ownership: `what` is a string literal.
struct error {
  errc code;
  const char* what;
  std::uint64_t at = 0;  // byte offset, where bytes are to blame
  double asked = 0;      // what the caller or the file wanted ...
  double possible = 0;   // ... and the nearest thing that can be had
};

template <class T>
class [[nodiscard]] result {
 public:
  result(T value) noexcept : state_(std::in_place_index<0>, std::move(value)) {}
  result(bloomery::error e) noexcept : state_(std::in_place_index<1>, e) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // REQUIRES: has_value()
  T& operator*() & noexcept { return *get(); }
  const T& operator*() const& noexcept { return *get(); }
  T&& operator*() && noexcept { return std::move(*get()); }
  T* operator->() noexcept { return get(); }
  const T* operator->() const noexcept { return get(); }

  // REQUIRES: !has_value()
  const bloomery::error& error() const noexcept {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  T* get() noexcept {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  const T* get() const noexcept {
    assert(has_value());
    return std::get_if<0>(&state_);
  }

  std::variant<T, bloomery::error> state_;
};

// Nothing, or the reason why a call did not succeed.
template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept = default;
  result(bloomery::error e) noexcept : error_(e) {}

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }

  // REQUIRES: !has_value()
  const bloomery::error& error() const noexcept {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<bloomery::error> error_;
};

}  // namespace bloomery::inline v1
