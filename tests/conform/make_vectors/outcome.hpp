// What becomes of bytes that a reader is given, as a row of a file of hostile vectors.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hex.hpp"
#include "interpreter.hpp"
#include "make_vectors/make_vectors.hpp"

namespace bloomery::vectors {

using image_bytes = std::vector<std::byte>;

// {"error": .., "offset": ..}, or {"accepted": what decode says, "answers": ..}.
// `how`: the form, and options.
inline json outcome_of(std::span<const std::byte> bytes, const std::string& how,
                       const std::string& asked = "k[0..9] x[0..15]") {
  conform::interpreter m(".");
  const std::string hex = bytes.empty() ? "-" : testing::to_hex(bytes);
  m.run(conform::parse("bytes B " + hex));
  const std::string said = m.run(conform::parse("decode F B " + how));
  if (said.starts_with("error ")) {
    const auto at = said.find(" at=");
    return {{"error", said.substr(6, at - 6)},
            {"offset", std::stoull(said.substr(at + 4))}};
  }
  const bool packed = said.find("kind=packed") != std::string::npos;
  return {{"accepted", said.substr(3)},
          {"answers",
           m.run(conform::parse("query F " + asked + (packed ? " member=0" : "")))}};
}

// What was changed of `base`: runs of bytes, and the length.
inline json edits_of(const image_bytes& base, const image_bytes& bytes) {
  json row = json::object();
  if (bytes.size() != base.size()) row["length"] = bytes.size();
  json edits = json::array();
  for (std::size_t i = 0; i < bytes.size();) {
    const auto was = [&](std::size_t j) {
      return j < base.size() ? base[j] : std::byte{0};
    };
    if (bytes[i] == was(i)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < bytes.size() && bytes[end] != was(end)) ++end;
    edits.push_back(
        json::array({i, testing::to_hex(std::span(bytes).subspan(i, end - i))}));
    i = end;
  }
  if (!edits.empty()) row["edits"] = edits;
  return row;
}

}  // namespace bloomery::vectors
