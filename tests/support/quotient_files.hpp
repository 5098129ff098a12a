// A quotient filter around bytes that are given, through its container.
#pragma once

#include <cstddef>
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

inline quotient quotient_of_bytes(const quotient_layout& l,
                                  const std::vector<std::byte>& payload) {
  return must(quotient::decode(quotient_container(l, payload)));
}

}  // namespace bloomery::testing
