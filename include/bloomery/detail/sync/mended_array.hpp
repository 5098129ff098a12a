// An array that is put right in the child of a fork, before anybody uses it there
// (fork_watch.hpp).  Moves without its elements moving.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include <bloomery/detail/sync/fork_watch.hpp>

namespace bloomery::inline v1 {

// Platform: that of T.
template <class T, class Platform>
class mended_array {
 public:
  using mender = void (*)(std::span<T>, const fork_survivor&) noexcept;

  // No elements; the same if there is no memory for n.
  mended_array() noexcept = default;
  mended_array(std::size_t n, mender mend) noexcept {
    if (!Platform::prepare_for_fork()) return;
    void* const room = ::operator new (sizeof(head) + n * sizeof(T),
                                       std::align_val_t{alignment}, std::nothrow);
    if (room == nullptr) return;
    T* const first = reinterpret_cast<T*>(static_cast<head*>(room) + 1);
    for (std::size_t i = 0; i < n; ++i) new (first + i) T;
    new (room) head({first, n}, mend);  // when a fork may find them
    first_ = first;
  }
  mended_array(mended_array&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)) {}
  mended_array& operator=(mended_array&& other) noexcept {
    if (this != &other) {
      release();
      first_ = std::exchange(other.first_, nullptr);
    }
    return *this;
  }
  ~mended_array() { release(); }

  bool empty() const noexcept { return first_ == nullptr; }
  T* data() const noexcept { return first_; }
  T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  static constexpr std::size_t alignment = 64;

  // Before the elements, in the same piece of memory.
  struct alignas(alignment) head : Platform::fork_watch {
    head(std::span<T> all, mender m) noexcept
        : Platform::fork_watch(&head::call), elements(all), mend(m) {}
    static void call(typename Platform::fork_watch& w, const fork_survivor& s) noexcept {
      const head& h = static_cast<head&>(w);
      h.mend(h.elements, s);
    }

    std::span<T> elements;
    mender mend;
  };
  // No unique_ptr: this header is in nearly every other, and <memory> costs each file as
  // much as all of ours (tools/compile_times.py).
  void release() noexcept {
    if (first_ == nullptr) return;
    head* const h = reinterpret_cast<head*>(first_) - 1;
    const std::size_t n = h->elements.size();
    h->~head();  // from here on no fork finds them
    for (std::size_t i = 0; i < n; ++i) first_[i].~T();
    ::operator delete (h, std::align_val_t{alignment});
  }

  static_assert(alignof(T) <= alignment);

  T* first_ = nullptr;
};

}  // namespace bloomery::inline v1
