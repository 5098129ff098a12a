// The memory of filters: zeroed, 64-byte aligned, released by its owner.
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
        from_(other.from_) {}
  pages& operator=(pages&& other) noexcept {
    if (this == &other) return *this;
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    from_ = other.from_;
    return *this;
  }

  // `size` zero bytes; the memory behind them extends, zeroed, to the next multiple of
  // `alignment`, so kernels may read whole lines.
  // Errors: too_large; out_of_memory (possible: the memory of the machine).
  static result<pages> make(std::size_t size, prefault touch = prefault::no) noexcept;

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

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<std::byte> bytes() noexcept { return {data_, size_}; }
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  enum class source : unsigned char { memory, file, borrowed };

  pages(std::byte* data, std::size_t size, source from) noexcept
      : data_(data), size_(size), from_(from) {}
  void release() noexcept;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  source from_ = source::memory;
};

}  // namespace bloomery::inline v1
