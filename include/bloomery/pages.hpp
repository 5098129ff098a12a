// The memory of filters: zeroed, 64-byte aligned, released by its owner.
//
// It comes from the system, or from a source of the caller: an engine that counts, limits
// or moves the memory of its values.  While a memory_scope exists, everything that its
// thread makes takes memory from that source, by any call of any kind (make, build,
// decode, load, clone); what a filter later takes to grow comes from where the filter
// lies, in a scope or not.
//
//   bloomery::memory_source engine{allocate, release};
//   bloomery::memory_scope scope(engine);
//   auto f = bloomery::block_bloom::make({.keys = 1'000'000});    in the engine's memory
//
// Above 2 MiB it is mapped, aligned to 2 MiB and offered to the kernel as huge pages:
// random access over large filters is bound by the TLB otherwise (docs/performance.md).
// Failure is a result, never an exception.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class pages;

// Where memory comes from instead of the system.  REQUIRES: it outlives what it gave
struct memory_source {
  // `size` bytes or more, aligned as those of malloc, zero or not; null: there are none.
  void* (*allocate)(std::size_t size, void* context) noexcept;
  // What `allocate` returned.  May be called by another thread than allocated it.
  void (*release)(void* memory, void* context) noexcept;
  void* context = nullptr;
};

// While it exists, `pages::make` on this thread takes memory from the source.  The
// innermost counts.  Threads that a call starts (builds) take theirs from the system.
class BLOOMERY_EXPORT memory_scope {
 public:
  explicit memory_scope(const memory_source& from) noexcept;
  // Where `other` lies; without memory, where it is taken from anyway.
  explicit memory_scope(const pages& other) noexcept;
  ~memory_scope();
  memory_scope(const memory_scope&) = delete;
  memory_scope& operator=(const memory_scope&) = delete;

 private:
  const memory_source* before_;
};

class BLOOMERY_EXPORT pages {
 public:
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

  // Touch every page now (slower here, no page faults later) or at first use.
  enum class prefault : bool { no, yes };

  pages() noexcept = default;
  ~pages() { release(); }
  pages(pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        owner_(other.owner_),
        from_(other.from_),
        shift_(other.shift_) {}
  pages& operator=(pages&& other) noexcept {
    if (this == &other) return *this;
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    owner_ = other.owner_;
    from_ = other.from_;
    shift_ = other.shift_;
    return *this;
  }

  // `size` zero bytes; the memory behind them extends, zeroed, to the next multiple of
  // `alignment`, so kernels may read whole lines.
  // Errors: too_large; out_of_memory (possible: the memory of the machine).
  static result<pages> make(std::size_t size, prefault touch = prefault::no) noexcept;
  // The same from where `other` lies (memory_scope).
  static result<pages> make_like(const pages& other, std::size_t size) noexcept;

  // The file behind `fd`, mapped privately (copy on write): its pages are read when they
  // are touched.  A file must not shrink while it is mapped: touching what is gone raises
  // SIGBUS.  REQUIRES: the file has `size` bytes, size > 0
  // Errors: too_large, out_of_memory, io.
  static result<pages> map(int fd, std::size_t size) noexcept;

  // Memory owned by somebody else, which must outlive this object.
  static pages borrow(std::span<std::byte> memory) noexcept {
    return {memory.data(), memory.size(), source::borrowed};
  }

  // Gives back what lies behind the first `size` bytes.  What it cannot give back it
  // keeps; the bytes stay where they are, unless they become few.
  // Errors: out_of_memory.  REQUIRES: size <= this->size(); it is from make
  result<void> shorten(std::size_t size) noexcept;

  // Memory of a source may be moved by it: `move` takes what `allocate` returned, and
  // returns its new place, with the same bytes, or null if it stays.  Other memory stays.
  // Returns whether data() has changed.  REQUIRES: the new place is as far from a
  // multiple of `alignment` as the old one, as allocators by size classes leave it
  bool relocate(void* (*move)(void* memory, void* context) noexcept,
                void* context) noexcept;

  // What was taken for it, the space behind the last byte included.
  std::size_t allocated_bytes() const noexcept;

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<std::byte> bytes() noexcept { return {data_, size_}; }
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  friend class memory_scope;
  enum class source : unsigned char { memory, file, borrowed, owner };

  pages(std::byte* data, std::size_t size, source from) noexcept
      : data_(data), size_(size), from_(from) {}
  static result<pages> make_from(const memory_source& owner, std::size_t size) noexcept;
  static result<pages> make_from_system(std::size_t size, prefault touch) noexcept;
  void release() noexcept;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  const memory_source* owner_ = nullptr;
  source from_ = source::memory;
  unsigned char shift_ = 0;  // bytes of an owner's memory before data_
};

}  // namespace bloomery::inline v1
