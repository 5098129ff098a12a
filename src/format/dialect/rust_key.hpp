// SipHash-1-3 of a key as Rust's Hash feeds it.
#pragma once

#include "format/dialect/dialect.hpp"
#include "hash/siphash.hpp"

namespace bloomery::format {

// Integers are their little-endian bytes, as many as are given.
inline std::uint64_t rust_siphash13(key_form form, std::string_view key, std::uint64_t k0,
                                    std::uint64_t k1) noexcept {
  switch (form) {
    case key_form::text:
      return hash::siphash13_str(key, k0, k1);
    case key_form::integer:
      return hash::siphash13(key, k0, k1);
    case key_form::bytes:
      break;
  }
  return hash::siphash13_slice(key, k0, k1);
}

}  // namespace bloomery::format
