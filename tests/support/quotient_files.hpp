// Bytes of quotient filters, written by hand, and a filter around them, through its
// container.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <bloomery/container.hpp>
#include <bloomery/quotient.hpp>

#include "container_repair.hpp"
#include "must.hpp"

namespace bloomery::testing {

// The container of an empty filter of the layout, with another payload and all checksums
// right.
inline std::vector<std::byte> quotient_container(const quotient_layout& l,
                                                 const std::vector<std::byte>& payload) {
  const auto empty = must(must(quotient::make(l)).encode());
  std::vector<std::byte> file(empty.bytes().begin(), empty.bytes().end());
  const auto facts = must(inspect(file, file.size()));
  std::memcpy(file.data() + facts.payload_at, payload.data(), payload.size());
  repair_container(file);
  return file;
}

// The bytes of a filter, to be written by hand.
class quotient_payload {
 public:
  explicit quotient_payload(const quotient_layout& l) : layout_(l), words_(l.words()) {}

  void occupy(std::uint64_t q) { word(q / 64, 0) |= std::uint64_t{1} << (q % 64); }
  void end(std::uint64_t slot) { word(slot / 64, 1) |= std::uint64_t{1} << (slot % 64); }
  void fill(std::uint64_t first, std::uint64_t last, std::uint64_t value) {
    for (std::uint64_t i = first; i <= last; ++i)
      for (unsigned j = 0; j < layout_.remainder_bits; ++j)
        word(i / 64, 2 + j) |= (value >> j & 1) << (i % 64);
  }
  void offset(std::uint64_t b, std::uint64_t distance) {
    words_[layout_.offsets_at() + b / 8] |= distance << (8 * (b % 8));
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> out;
    for (const std::uint64_t w : words_)
      for (unsigned i = 0; i < 8; ++i)
        out.push_back(static_cast<std::byte>(w >> (8 * i)));
    return out;
  }

 private:
  std::uint64_t& word(std::uint64_t b, std::uint64_t i) {
    return words_[b * layout_.block_words() + i];
  }
  quotient_layout layout_;
  std::vector<std::uint64_t> words_;
};

inline quotient quotient_of_bytes(const quotient_layout& l,
                                  const std::vector<std::byte>& payload) {
  return must(quotient::decode(quotient_container(l, payload)));
}

}  // namespace bloomery::testing
