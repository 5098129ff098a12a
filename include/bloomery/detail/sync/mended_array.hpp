// An array that is put right in the child of a fork, before anybody uses it there
// (fork_watch.hpp).  Moves without its elements moving.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

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
    std::uninitialized_default_construct_n(first, n);
    new (room) head({first, n}, mend);  // when a fork may find them
    first_.reset(first);
  }

  bool empty() const noexcept { return first_ == nullptr; }
  T* data() const noexcept { return first_.get(); }
  T& operator[](std::size_t i) const noexcept { return first_.get()[i]; }

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
  struct free_all {
    void operator()(T* first) const noexcept {
      head* const h = reinterpret_cast<head*>(first) - 1;
      const std::size_t n = h->elements.size();
      h->~head();  // from here on no fork finds them
      std::destroy_n(first, n);
      ::operator delete (h, std::align_val_t{alignment});
    }
  };

  static_assert(alignof(T) <= alignment);

  std::unique_ptr<T, free_all> first_;
};

}  // namespace bloomery::inline v1
