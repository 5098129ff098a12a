// What std::unique_ptr is, without <memory>: that header costs each file that includes it
// more than all kinds of filters together (tools/compile_times.py).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace bloomery::inline v1 {

// T: one object from `new`, or an array of them, T[], from `new[]`.
template <class T>
class owned {
 public:
  using element = std::remove_extent_t<T>;

  constexpr owned() noexcept = default;
  constexpr owned(std::nullptr_t) noexcept {}
  constexpr explicit owned(element* p) noexcept : p_(p) {}
  owned(owned&& other) noexcept : p_(other.release()) {}
  owned& operator=(owned&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~owned() { reset(); }

  element* get() const noexcept { return p_; }
  element* operator->() const noexcept { return p_; }
  element& operator*() const noexcept { return *p_; }
  element& operator[](std::size_t i) const noexcept { return p_[i]; }
  explicit operator bool() const noexcept { return p_ != nullptr; }

  element* release() noexcept { return std::exchange(p_, nullptr); }
  void reset(element* p = nullptr) noexcept {
    element* const old = std::exchange(p_, p);
    if constexpr (std::is_array_v<T>)
      delete[] old;
    else
      delete old;
  }

  friend bool operator==(const owned& a, std::nullptr_t) noexcept {
    return a.p_ == nullptr;
  }

 private:
  element* p_ = nullptr;
};

}  // namespace bloomery::inline v1
