// A list of movable values in pages, which grows where it lies (memory_scope).
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// T may be incomplete where a list is a member.  Its values do not point to themselves:
// relocate() moves them by their bytes.
template <class T>
class page_list {
 public:
  page_list() noexcept = default;
  page_list(page_list&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  page_list& operator=(page_list&& other) noexcept {
    if (this == &other) return *this;
    clear();
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~page_list() { clear(); }

  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& back() noexcept { return data()[size_ - 1]; }

  // Errors: out_of_memory; nothing has changed.
  result<void> push(T value) noexcept {
    if ((size_ + 1) * sizeof(T) > memory_.size()) {
      const std::size_t room = size_ == 0 ? 1 : 2 * size_;
      auto larger = pages::make_like(memory_, room * sizeof(T));
      if (!larger) return larger.error();
      T* to = reinterpret_cast<T*>(larger->data());
      for (std::size_t i = 0; i < size_; ++i) {
        new (to + i) T(std::move(data()[i]));
        data()[i].~T();
      }
      memory_ = *std::move(larger);
    }
    new (data() + size_) T(std::move(value));
    ++size_;
    return {};
  }
  void pop() noexcept { data()[--size_].~T(); }  // REQUIRES: size() != 0
  void clear() noexcept {
    while (size_ != 0) pop();
  }

  const pages& memory() const noexcept { return memory_; }
  bool relocate(void* (*move)(void* memory, void* context) noexcept,
                void* context) noexcept {
    return memory_.relocate(move, context);
  }

 private:
  T* data() noexcept { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(memory_.data()); }

  pages memory_;
  std::size_t size_ = 0;
};

}  // namespace bloomery::inline v1
