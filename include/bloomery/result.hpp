// result<T>: a T, or the reason there is none.
//
// The subset of C++23 std::expected<T, error> that we use, under the same names, so
// that this file can become an alias later.  Nothing here allocates or throws.
//
//   auto f = bloomery::block_bloom::load(path);
//   if (!f) std::cerr << f.error() << '\n';              print.hpp
//   auto g = bloomery::block_bloom::load(path).value();  or abort with that message
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

// The sort of failure; error::what says which one.
enum class errc : std::uint8_t {
  invalid_argument = 1,  // a parameter is outside its documented range
  too_large,             // the request does not fit the address space or the format
  out_of_memory,
  unattainable,  // the target rate is mathematically impossible
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

// The name of a file, in the error itself: no allocation, and nothing to outlive.  A
// longer name is cut to its end, after "..." (docs/decisions/0023-at-home-in-cpp.md).
class error_path {
 public:
  static constexpr std::size_t max_length = 87;

  constexpr error_path() noexcept = default;
  constexpr explicit error_path(const char* path) noexcept {
    std::size_t length = 0, at = 0;
    while (path[length] != '\0') ++length;
    if (length > max_length) {
      for (; at < 3; ++at) chars_[at] = '.';
      path += length - (max_length - at);
    }
    for (; *path != '\0'; ++path) chars_[at++] = *path;
  }

  constexpr bool empty() const noexcept { return chars_[0] == '\0'; }
  constexpr const char* c_str() const noexcept { return chars_; }

 private:
  char chars_[max_length + 1] = {};
};

// No allocation and no ownership: `what` is a string literal.  to_string (print.hpp) and
// text_of (print.hpp) make a sentence of it.
struct error {
  errc code;
  const char* what;
  std::uint64_t at = 0;  // byte offset of wrong bytes
  double asked = 0;      // what the caller or the file requested ...
  double possible = 0;   // ... and the nearest value that is possible
  error_path path{};     // of calls that take a path: that path

  // The errno of an `io` error; otherwise 0.
  constexpr int system_error() const noexcept {
    return code == errc::io ? static_cast<int>(asked) : 0;
  }
};

namespace detail {
// Prints the error and aborts.
[[noreturn]] BLOOMERY_EXPORT void no_value(const error& e) noexcept;
}  // namespace detail

template <class T>
class [[nodiscard]] result {
 public:
  result(T value) noexcept : value_(std::move(value)), has_(true) {}
  result(bloomery::error e) noexcept : error_(e), has_(false) {}

  // Always inlined: g++ 12 merges them where they are equal for several T, and then warns
  // of the other T's bounds.
  [[gnu::always_inline]] result(result&& other) noexcept : has_(other.has_) {
    take(std::move(other));
  }
  [[gnu::always_inline]] result(const result& other) noexcept(
      std::is_nothrow_copy_constructible_v<T>) requires std::is_copy_constructible_v<T>
      : has_(other.has_) {
    take(other);
  }
  // One of the two is made anew: a T that can be moved need not be assignable.
  [[gnu::always_inline]] result& operator=(result&& other) noexcept {
    if (this != &other) {
      drop();
      has_ = other.has_;
      take(std::move(other));
    }
    return *this;
  }
  result& operator=(const result& other) noexcept(
      std::is_nothrow_copy_constructible_v<T>) requires std::is_copy_constructible_v<T> {
    return *this = result(other);
  }
  [[gnu::always_inline]] ~result() { drop(); }

  bool has_value() const noexcept { return has_; }
  explicit operator bool() const noexcept { return has_value(); }

  // REQUIRES: has_value()
  T& operator*() & noexcept { return *get(); }
  const T& operator*() const& noexcept { return *get(); }
  T&& operator*() && noexcept { return std::move(*get()); }
  T* operator->() noexcept { return get(); }
  const T* operator->() const noexcept { return get(); }

  // REQUIRES: has_value().  Where std::expected throws, this prints the error and aborts,
  // in every build: for programs that cannot continue without the value.
  T& value() & noexcept { return demand(), *get(); }
  const T& value() const& noexcept { return demand(), *get(); }
  T&& value() && noexcept { return demand(), std::move(*get()); }

  // The value, or `other` where there is none.
  template <class U>
  T value_or(U&& other) const& {
    return has_value() ? *get() : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  T value_or(U&& other) && {
    return has_value() ? std::move(*get()) : static_cast<T>(std::forward<U>(other));
  }

  // REQUIRES: !has_value()
  bloomery::error& error() noexcept {
    assert(!has_value());
    return error_;
  }
  const bloomery::error& error() const noexcept {
    assert(!has_value());
    return error_;
  }

 private:
  T* get() noexcept {
    assert(has_value());
    return &value_;
  }
  const T* get() const noexcept {
    assert(has_value());
    return &value_;
  }
  void demand() const noexcept {
    if (!has_value()) [[unlikely]]
      detail::no_value(error());
  }

  template <class Other>
  [[gnu::always_inline]] void take(Other&& other) {
    if (has_)
      new (static_cast<void*>(&value_)) T(std::forward<Other>(other).value_);
    else
      new (static_cast<void*>(&error_)) bloomery::error(other.error_);
  }
  [[gnu::always_inline]] void drop() noexcept {
    if (has_) value_.~T();
  }

  // No std::variant: each costs a compiler as much as a small header, and there is one
  // for every T (tools/compile_times.py).
  union {
    T value_;
    bloomery::error error_;
  };
  bool has_;
};

// Nothing, or the reason why a call did not succeed.
template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept = default;
  result(bloomery::error e) noexcept : error_(e) {}

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }

  // REQUIRES: has_value(), as above.
  void value() const noexcept {
    if (!has_value()) [[unlikely]]
      detail::no_value(*error_);
  }

  // REQUIRES: !has_value()
  bloomery::error& error() noexcept {
    assert(error_);
    return *error_;
  }
  const bloomery::error& error() const noexcept {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<bloomery::error> error_;
};

}  // namespace bloomery::inline v1
