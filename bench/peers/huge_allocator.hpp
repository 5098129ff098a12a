// Memory for other libraries' filters as ours have it: in huge pages when it is large.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include <bloomery/pages.hpp>

namespace bloomery::bench {

template <class T>
struct huge_allocator {
  using value_type = T;

  huge_allocator() = default;
  template <class U>
  huge_allocator(const huge_allocator<U>&) noexcept {}

  static T* allocate(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    const bool huge = size > pages::huge_page;  // from here on pages does the same
    const std::size_t step = huge ? pages::huge_page : pages::alignment;
    const std::size_t room = (size + step - 1) / step * step;
    void* p = std::aligned_alloc(step, room);
    if (p == nullptr) throw std::bad_alloc();
    if (huge) madvise(p, room, MADV_HUGEPAGE);
    return static_cast<T*>(p);
  }
  static void deallocate(T* p, std::size_t) noexcept { std::free(p); }

  friend bool operator==(const huge_allocator&, const huge_allocator&) = default;
};

}  // namespace bloomery::bench
