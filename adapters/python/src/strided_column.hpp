// Elements of one size at a fixed distance: NumPy arrays, and Arrow arrays of integers
// and of fixed-size binary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "column.hpp"
#include "validity.hpp"

namespace bloomery::py {

// Where the elements are.  The distance may be negative.
struct strided {
  const char* data;
  std::ptrdiff_t distance;

  const char* at(std::size_t i) const noexcept {
    return data + static_cast<std::ptrdiff_t>(i) * distance;
  }
};

// T: an integer type.  Negative values are those modulo 2^64.
template <class T>
class integer_column final : public column {
 public:
  integer_column(std::size_t size, strided elements, validity v) noexcept
      : column(size, sort::integers, v.has_nulls()), elements_(elements), validity_(v) {}

  void integers(std::size_t first, std::span<std::uint64_t> out) const noexcept override {
    if (elements_.distance == sizeof(T))
      copy(first, out, sizeof(T));  // a loop of constant distance is vectorised
    else
      copy(first, out, elements_.distance);
  }
  void valid(std::size_t first, std::span<bool> out) const noexcept override {
    validity_.read(first, out);
  }
  void keys(const hasher& h, std::size_t first,
            std::span<key> out) const noexcept override {
    if constexpr (sizeof(T) == 8)
      if (elements_.distance == sizeof(T) && h.source() == key_source::integers &&
          reinterpret_cast<std::uintptr_t>(elements_.data) % sizeof(T) == 0) {
        const auto* all = reinterpret_cast<const std::uint64_t*>(elements_.data);
        return h.hash_u64(std::span(all + first, out.size()), out);
      }
    column::keys(h, first, out);
  }

 private:
  void copy(std::size_t first, std::span<std::uint64_t> out,
            std::ptrdiff_t distance) const noexcept {
    const char* from = elements_.data + static_cast<std::ptrdiff_t>(first) * distance;
    for (std::size_t i = 0; i < out.size(); ++i, from += distance) {
      T x;
      std::memcpy(&x, from, sizeof x);
      out[i] = static_cast<std::uint64_t>(x);  // of a negative one, with its sign
    }
  }

  strided elements_;
  validity validity_;
};

// Zeros at the end belong to a key, or are padding: of NumPy's type S they are, as for
// everybody who takes one element out of the array.
enum class trailing_zeros : bool { kept, dropped };

class fixed_bytes_column final : public column {
 public:
  fixed_bytes_column(std::size_t size, strided elements, std::size_t width,
                     trailing_zeros zeros, validity v) noexcept
      : column(size, sort::texts, v.has_nulls()),
        elements_(elements),
        width_(width),
        zeros_(zeros),
        validity_(v) {}

  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::string_view text(elements_.at(first + i), width_);
      if (zeros_ == trailing_zeros::dropped)
        text = text.substr(0, text.find_last_not_of('\0') + 1);
      out[i] = text;
    }
  }
  void valid(std::size_t first, std::span<bool> out) const noexcept override {
    validity_.read(first, out);
  }

 private:
  strided elements_;
  std::size_t width_;
  trailing_zeros zeros_;
  validity validity_;
};

}  // namespace bloomery::py
