// An array of plain values in pages, which grows.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class T>
class growing_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* data() noexcept { return reinterpret_cast<T*>(memory_.data()); }
  std::size_t size() const noexcept { return size_; }
  std::span<T> all() noexcept { return {data(), size_}; }

  // Errors: out_of_memory.
  result<void> reserve(std::size_t room) noexcept {
    if (room * sizeof(T) <= memory_.size()) return {};
    auto more = pages::make(room * sizeof(T));
    if (!more) return more.error();
    if (size_ != 0) std::memcpy(more->data(), memory_.data(), size_ * sizeof(T));
    memory_ = *std::move(more);
    return {};
  }
  // The next `count` values, zero: the caller fills them.
  result<std::span<T>> extend(std::size_t count) noexcept {
    if ((size_ + count) * sizeof(T) > memory_.size())
      if (auto ok = reserve(size_ + count + size_ / 2); !ok) return ok.error();
    size_ += count;
    return all().last(count);
  }
  result<void> append(std::span<const T> some) noexcept {
    const auto to = extend(some.size());
    if (!to) return to.error();
    if (!some.empty()) std::memcpy(to->data(), some.data(), some.size_bytes());
    return {};
  }

 private:
  pages memory_;
  std::size_t size_ = 0;
};

}  // namespace bloomery::inline v1
