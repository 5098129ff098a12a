#include <bloomery/pages.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace bloomery::inline v1 {
namespace {

constexpr std::size_t round_up(std::size_t n, std::size_t step) noexcept {
  return (n + step - 1) / step * step;
}

// Below this the heap is as good: a mapping costs two system calls and whole pages.
constexpr bool is_mapped(std::size_t size) noexcept { return size > pages::huge_page; }

std::byte* from_heap(std::size_t room) noexcept {
  void* p = std::aligned_alloc(pages::alignment, room);
  if (p != nullptr) std::memset(p, 0, room);
  return static_cast<std::byte*>(p);
}

std::size_t page_size() noexcept {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Maps one huge page too many, then gives back what lies outside the aligned part.
// REQUIRES: room is a multiple of the page size
std::byte* reserve_aligned(std::size_t room, int protection) noexcept {
  void* raw = mmap(nullptr, room + pages::huge_page, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t start = round_up(base, pages::huge_page);
  if (const std::size_t head = start - base; head != 0) munmap(raw, head);
  if (const std::size_t tail = base + pages::huge_page - start; tail != 0)
    munmap(reinterpret_cast<void*>(start + room), tail);
  return reinterpret_cast<std::byte*>(start);
}

std::byte* from_kernel(std::size_t room) noexcept {
  std::byte* p = reserve_aligned(room, PROT_READ | PROT_WRITE);
  if (p == nullptr) return nullptr;
  madvise(p, room, MADV_HUGEPAGE);  // advice: refusal costs speed, not correctness
  return p;
}

void touch_all(std::byte* p, std::size_t room) noexcept {
  const std::size_t page = page_size();
  for (std::size_t i = 0; i < room; i += page)
    const_cast<volatile std::byte*>(p)[i] = std::byte{0};
}

// Words that begin in the last byte may be read whole.
constexpr std::size_t pages_slack = 8;

std::size_t machine_memory() noexcept {
  const long count = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (count <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(page);
}

std::size_t room_for(std::size_t size) noexcept {
  return round_up(size + pages_slack,
                  is_mapped(size) ? pages::huge_page : pages::alignment);
}

// An owner rounds to multiples of the alignment, as most allocators do by themselves:
// then their memory is aligned without more.
std::size_t owned_room(std::size_t size) noexcept {
  return round_up(size + pages_slack, pages::alignment);
}

thread_local constinit const memory_source* current_source = nullptr;

constexpr std::size_t max_size = std::numeric_limits<std::size_t>::max() / 4;

error beyond_address_space(std::size_t size) noexcept {
  return {errc::too_large, "more memory than an address space holds", 0,
          static_cast<double>(size)};
}

}  // namespace

memory_scope::memory_scope(const memory_source& from) noexcept : before_(current_source) {
  current_source = &from;
}
memory_scope::memory_scope(const pages& other) noexcept : before_(current_source) {
  if (other.data_ != nullptr) current_source = other.owner_;
}
memory_scope::~memory_scope() { current_source = before_; }

result<pages> pages::make(std::size_t size, prefault touch) noexcept {
  if (current_source != nullptr) return make_from(*current_source, size);
  return make_from_system(size, touch);
}

result<pages> pages::make_like(const pages& other, std::size_t size) noexcept {
  const memory_scope scope(other);
  return make(size);
}

result<pages> pages::make_from(const memory_source& owner, std::size_t size) noexcept {
  if (size == 0) return pages();
  if (size > max_size) return beyond_address_space(size);
  const std::size_t room = owned_room(size);
  const auto misplaced = [](const void* p) noexcept {
    return reinterpret_cast<std::uintptr_t>(p) % alignment;
  };
  void* raw = owner.allocate(room, owner.context);
  if (raw != nullptr && misplaced(raw) != 0) {
    owner.release(raw, owner.context);
    raw = owner.allocate(room + alignment, owner.context);
  }
  if (raw == nullptr)
    return error{errc::out_of_memory, "not enough memory", 0, static_cast<double>(size)};
  const std::size_t shift = (alignment - misplaced(raw)) % alignment;
  std::byte* data = static_cast<std::byte*>(raw) + shift;
  std::memset(data, 0, room);
  pages made(data, size, source::owner);
  made.owner_ = &owner;
  made.shift_ = static_cast<unsigned char>(shift);
  return made;
}

bool pages::relocate(void* (*move)(void* memory, void* context) noexcept,
                     void* context) noexcept {
  if (data_ == nullptr || from_ != source::owner) return false;
  auto* raw = static_cast<std::byte*>(move(data_ - shift_, context));
  if (raw == nullptr) return false;
  data_ = raw + shift_;
  assert(reinterpret_cast<std::uintptr_t>(data_) % alignment == 0);
  return true;
}

std::size_t pages::allocated_bytes() const noexcept {
  if (data_ == nullptr || from_ == source::borrowed) return 0;
  if (from_ == source::owner) return owned_room(size_) + (shift_ != 0 ? alignment : 0);
  return from_ == source::file ? size_ : room_for(size_);
}

result<pages> pages::make_from_system(std::size_t size, prefault touch) noexcept {
  if (size == 0) return pages();
  if (size > max_size) return beyond_address_space(size);
  const std::size_t room = room_for(size);
  // A system that promises more than it has would kill the process later.
  const bool hopeless = room > machine_memory();
  std::byte* p = hopeless          ? nullptr
                 : is_mapped(size) ? from_kernel(room)
                                   : from_heap(room);
  if (p == nullptr)
    return error{errc::out_of_memory, "not enough memory", 0, static_cast<double>(size),
                 static_cast<double>(machine_memory())};
  if (touch == prefault::yes && is_mapped(size)) touch_all(p, room);
  return pages(p, size, source::memory);
}

// Aligned as huge pages are: where the page cache holds large folios, as for files that
// were written in large pieces, the kernel then maps 2 MiB at a time.
result<pages> pages::map(int fd, std::size_t size) noexcept {
  const auto refused = [size](int number) noexcept {
    if (number == ENOMEM)
      return error{errc::out_of_memory, "not enough address space to map the file", 0,
                   static_cast<double>(size), static_cast<double>(machine_memory())};
    return error{errc::io, "cannot map the file", 0, static_cast<double>(number)};
  };
  if (size > max_size) return refused(ENOMEM);
  const std::size_t room = round_up(size, page_size());
  std::byte* place = is_mapped(size) ? reserve_aligned(room, PROT_NONE) : nullptr;
  if (is_mapped(size) && place == nullptr) return refused(ENOMEM);
  void* p = mmap(place, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_NORESERVE | (place != nullptr ? MAP_FIXED : 0), fd, 0);
  if (p == MAP_FAILED) {
    const int number = errno;
    if (place != nullptr) munmap(place, room);
    return refused(number);
  }
  // Lookups go anywhere: reading ahead of one would fetch pages that none needs.
  madvise(p, size, MADV_RANDOM);
  return pages(static_cast<std::byte*>(p), size, source::file);
}

// Whether memory is mapped follows from its size: a mapping that becomes small is copied.
result<void> pages::shorten(std::size_t size) noexcept {
  if (size == size_) return {};
  if (from_ == source::owner) {
    auto copy = make_from(*owner_, size);
    if (!copy) return copy.error();
    if (size != 0) std::memcpy(copy->data(), data_, size);
    *this = *std::move(copy);
    return {};
  }
  if (is_mapped(size_) != is_mapped(size) || size == 0) {
    auto copy = make(size);
    if (!copy) return copy.error();
    if (size != 0) std::memcpy(copy->data(), data_, size);
    *this = *std::move(copy);
    return {};
  }
  const std::size_t room = room_for(size);
  if (is_mapped(size_)) munmap(data_ + room, room_for(size_) - room);
  std::memset(data_ + size, 0, std::min(room, size_) - size);
  size_ = size;
  return {};
}

void pages::release() noexcept {
  if (data_ == nullptr || from_ == source::borrowed) return;
  if (from_ == source::owner)
    owner_->release(data_ - shift_, owner_->context);
  else if (from_ == source::file)
    munmap(data_, size_);
  else if (is_mapped(size_))
    munmap(data_, room_for(size_));
  else
    std::free(data_);
}

}  // namespace bloomery::inline v1
