// Writes integers, little-endian unless they are named otherwise, into the front of a
// byte range.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace bloomery::base {

// The caller has sized the range; running over it is a bug, not an input error.
class byte_writer {
 public:
  explicit byte_writer(std::span<std::byte> out) noexcept : out_(out) {}

  std::size_t offset() const noexcept { return at_; }

  template <std::unsigned_integral T>
  void write(T v) noexcept {
    assert(sizeof(T) <= out_.size() - at_);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      out_[at_++] = static_cast<std::byte>((v >> (8 * i)) & 0xff);
  }

  template <std::unsigned_integral T>
  void write_be(T v) noexcept {
    assert(sizeof(T) <= out_.size() - at_);
    for (std::size_t i = sizeof(T); i-- > 0;)
      out_[at_++] = static_cast<std::byte>((v >> (8 * i)) & 0xff);
  }

  void write(std::span<const std::byte> bytes) noexcept {
    assert(bytes.size() <= out_.size() - at_);
    if (!bytes.empty()) std::memcpy(out_.data() + at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }

 private:
  std::span<std::byte> out_;
  std::size_t at_ = 0;
};

}  // namespace bloomery::base
