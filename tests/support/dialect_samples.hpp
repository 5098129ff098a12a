// One image of every dialect and variant, small or of several chunks, and what its
// numbers are: the tables that hostile tests and the fuzzers' corpora walk through.
//
// Writable variants are made by the library, read-only ones by the builders of their
// tests: nothing here needs a file of another system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <bloomery/foreign_filter.hpp>

namespace bloomery::testing {

// A number that a reader believes, or not.
struct header_field {
  const char* name;
  std::ptrdiff_t at;  // negative: from the end
  unsigned bytes;     // 0: decimal digits
  bool big_endian = false;
};

struct dialect_sample {
  std::string name;  // "guava mitz64"
  std::string dialect;
  foreign_options read;  // what a reader must be told, the variant included
  std::vector<std::string> keys;
  std::vector<std::byte> image;
  std::vector<header_field> fields = {};
  // Makes checksums inside the image right again; null: it has none.
  void (*repair)(std::span<std::byte> image) = nullptr;
};

// All of them, with this many keys (at least 2): 10 make images of a few hundred bytes,
// 10,000 of at least three chunks.
std::vector<dialect_sample> dialect_samples(std::size_t keys);

// `value` in place of a field of the image.
// REQUIRES: it is one of the sample's fields
std::vector<std::byte> with_field(const dialect_sample& s,
                                  std::span<const std::byte> image,
                                  const header_field& field, std::uint64_t value);
std::uint64_t field_value(std::span<const std::byte> image, const header_field& field);

// What a number of these bytes is tried with: the ends, powers of two, the neighbours of
// the real one.
std::vector<std::uint64_t> hostile_values(std::uint64_t real, unsigned bytes);

}  // namespace bloomery::testing
