// Library errors and numbers in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <bloomery/result.hpp>

namespace bloomery::cli {

// "PATH: truncated: ... (corrupt at byte 500: needs 1199, found 488); restore the file"
enum class context : std::uint8_t { making, reading_bare, reading_container };
std::string describe(std::string_view path, const error& e, context c = context::making);

// 0.0101 -> "1.01 %", 1.5e-05 -> "1.5e-05 (1 in 6.67e+04)"
std::string rate(double fpr);
// 3 significant digits: "1,090", "2.12e+13".
std::string three_digits(double n);

// 9585059 -> "9,585,059"
std::string grouped(std::uint64_t n);

// 1000.4 -> "about 1000 keys"; infinite: "every bit set"
std::string about_keys(double keys);

// 1198145 -> "1.1 MiB"; beyond all units "1e+30 bytes"
std::string size(std::uint64_t bytes);
std::string size(double bytes);

}  // namespace bloomery::cli
