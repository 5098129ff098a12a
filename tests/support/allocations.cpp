#include "allocations.hpp"

#include <errno.h>
#include <sys/mman.h>
#include <sys/types.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace bloomery::testing {
namespace {

std::atomic<bool> watching{false};
std::atomic<std::uint64_t> calls_seen{0}, bytes_seen{0}, refused{allocation_watch::never};

// Whether this call may go on.
bool allowed(std::uint64_t size) noexcept {
  if (!watching.load()) return true;
  if (++calls_seen == refused.load()) {
    errno = ENOMEM;
    return false;
  }
  bytes_seen += size;
  return true;
}

}  // namespace

allocation_watch::allocation_watch(std::uint64_t fail_at) noexcept {
  calls_seen = bytes_seen = 0;
  refused = fail_at;
  watching = true;
}
allocation_watch::~allocation_watch() { watching = false; }
std::uint64_t allocation_watch::calls() const noexcept { return calls_seen; }
std::uint64_t allocation_watch::bytes() const noexcept { return bytes_seen; }

}  // namespace bloomery::testing

// The linker sends calls of NAME to __wrap_NAME, and __real_NAME to NAME.
extern "C" {
using bloomery::testing::allowed;

void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void* __real_mmap(void* at, std::size_t size, int protection, int flags, int fd,
                  off_t offset);

void* __wrap_malloc(std::size_t size) {
  return allowed(size) ? __real_malloc(size) : nullptr;
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return allowed(count * size) ? __real_calloc(count, size) : nullptr;
}
void* __wrap_realloc(void* old, std::size_t size) {
  return allowed(size) ? __real_realloc(old, size) : nullptr;
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return allowed(size) ? __real_aligned_alloc(alignment, size) : nullptr;
}
void* __wrap_mmap(void* at, std::size_t size, int protection, int flags, int fd,
                  off_t offset) {
  return allowed(fd < 0 ? size : 0) ? __real_mmap(at, size, protection, flags, fd, offset)
                                    : MAP_FAILED;
}
}

void* operator new(std::size_t size) {
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

// Arrays and aligned objects: sanitizers have their own, which would pass us by.
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
  return operator new(size, none);
}
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

void* operator new(std::size_t size, std::align_val_t to,
                   const std::nothrow_t&) noexcept {
  const auto alignment = static_cast<std::size_t>(to);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* operator new(std::size_t size, std::align_val_t to) {
  void* const p = operator new(size, to, std::nothrow);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new[](std::size_t size, std::align_val_t to) {
  return operator new(size, to);
}
void* operator new[](std::size_t size, std::align_val_t to,
                     const std::nothrow_t& none) noexcept {
  return operator new(size, to, none);
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
