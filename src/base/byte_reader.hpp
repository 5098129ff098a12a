// Reads integers, little-endian unless they are named otherwise, from the front of a byte
// range.
//
// Failure is sticky: a read past the end yields 0 and leaves ok() false for good, so a
// decoder reads straight through and checks once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::base {

class byte_reader {
 public:
  explicit byte_reader(std::span<const std::byte> in) noexcept : in_(in) {}

  bool ok() const noexcept { return ok_; }
  std::size_t offset() const noexcept { return at_; }
  std::size_t left() const noexcept { return in_.size() - at_; }

  template <std::unsigned_integral T>
  T read() noexcept {
    T v = 0;
    unsigned shift = 0;
    for (const std::byte b : take(sizeof(T))) {
      v = static_cast<T>(v | static_cast<T>(static_cast<T>(b) << shift));
      shift += 8;
    }
    return v;
  }

  template <std::unsigned_integral T>
  T read_be() noexcept {
    T v = 0;
    for (const std::byte b : take(sizeof(T)))
      v = static_cast<T>(static_cast<T>(v << 7 << 1) | static_cast<T>(b));
    return v;
  }

  // The next `n` bytes, or none of them if fewer remain.
  std::span<const std::byte> take(std::size_t n) noexcept {
    if (n > left()) ok_ = false;
    if (!ok_) return {};
    at_ += n;
    return in_.subspan(at_ - n, n);
  }

 private:
  std::span<const std::byte> in_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace bloomery::base
