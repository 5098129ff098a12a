// Numbers on the command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace bloomery::cli {

// Decimal digits and nothing else, at least `min`.  Throws usage_error.
std::uint64_t whole_number(const std::string& text, std::uint64_t min);

// How many keys, at least `min`: 1000000, 1_000_000, 1M, 1.5M, 1e6; k, M, G and T are
// powers of ten.  Throws usage_error.
std::uint64_t key_count(const std::string& text, std::uint64_t min);

// A false-positive rate: 0.01, 1e-3, 1%.  1% is exactly 0.01.  Throws usage_error.
double rate_number(const std::string& text);

// How many times as many: 100x, 100, 2.5x; at least 1.  Throws usage_error.
double growth_number(const std::string& text);

// A size in bytes: 4096, 64K, 16MiB, 1.5G; powers of 1024.  Throws usage_error.
std::uint64_t byte_size(const std::string& text);

// Seconds: 90, 90s, 5m, 1h.  Throws usage_error.
std::chrono::seconds duration(const std::string& text);

// A rate strictly between 0 and 1: 0.01, 1e-6, 1%.  Throws usage_error.
double rate_between_0_and_1(const std::string& text);

// A seed.  A negative one is for dialects whose seed is a signed number of 32 bits.
struct seed_number {
  std::uint64_t bits;  // sign-extended
  bool is_negative;
};
// Throws usage_error.
seed_number seed_of(const std::string& text);

}  // namespace bloomery::cli
