// Which elements of an Arrow array are there: a bitmap, least significant bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::py {

class validity {
 public:
  // All of them.
  constexpr validity() noexcept = default;
  constexpr validity(const std::uint8_t* bits, std::size_t first) noexcept
      : bits_(bits), first_(first) {}

  constexpr bool has_nulls() const noexcept { return bits_ != nullptr; }
  constexpr bool is_valid(std::size_t i) const noexcept {
    return bits_ == nullptr || (bits_[(first_ + i) / 8] >> ((first_ + i) % 8) & 1) != 0;
  }
  constexpr void read(std::size_t first, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = is_valid(first + i);
  }

 private:
  const std::uint8_t* bits_ = nullptr;
  std::size_t first_ = 0;
};

}  // namespace bloomery::py
