#include "text/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "sizes/memory.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

std::uint64_t digits(const std::string& text) {
  std::uint64_t n = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, n);
  if (failed == std::errc::result_out_of_range)
    throw usage_error(fmt::format("'{}' does not fit 64 bits", text));
  if (failed != std::errc{} || rest != end)
    throw usage_error(fmt::format("'{}' is not a whole number", text));
  return n;
}

// Bytes in "", "K", "KiB", "KB", "k" ..; 0 if it is no unit.
double unit(std::string_view text) {
  if (text.empty() || text == "B") return 1;
  constexpr std::string_view prefixes = "KMGT";
  const std::size_t power = prefixes.find(text[0] == 'k' ? 'K' : text[0]);
  const std::string_view rest = text.substr(1);
  if (power == std::string_view::npos || (rest != "" && rest != "B" && rest != "iB"))
    return 0;
  return static_cast<double>(std::uint64_t{1} << (10 * (power + 1)));
}

// The power of ten of a unit or exponent; -1: neither.
int power_of_ten(std::string_view text) {
  if (text.empty()) return 0;
  if (text == "k" || text == "K") return 3;
  if (text == "M") return 6;
  if (text == "G") return 9;
  if (text == "T") return 12;
  if (text[0] != 'e' && text[0] != 'E') return -1;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int power = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, power);
  return failed == std::errc{} && rest == end && power >= 0 && power < 100 ? power : -1;
}

}  // namespace

std::uint64_t whole_number(const std::string& text, std::uint64_t min) {
  const std::uint64_t n = digits(text);
  if (n < min) throw usage_error(fmt::format("'{}' is too few: try {}", text, min));
  return n;
}

std::uint64_t key_count(const std::string& text, std::uint64_t min) {
  const auto refuse = [&](std::string_view why) {
    throw usage_error(fmt::format("'{}' {}", text, why));
  };
  // Digits, without underscores between groups of three; those after the point count.
  std::string digits_of_it;
  std::size_t i = 0;
  int after_point = -1;
  std::size_t group = 0;  // digits since the last underscore; 0: there is none
  bool has_groups = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      digits_of_it += c;
      after_point += after_point >= 0;
      ++group;
    } else if (c == '_' && after_point < 0 && group != 0 &&
               (has_groups ? group == 3 : group <= 3)) {
      has_groups = true;
      group = 0;
    } else if (c == '.' && after_point < 0 && !has_groups) {
      after_point = 0;
    } else {
      break;
    }
  }
  if (digits_of_it.empty() || (has_groups && group != 3))
    refuse("is not a number of keys: try 1000000, 1_000_000, 1M or 1e6");
  const std::string_view unit = std::string_view(text).substr(i);
  int power = power_of_ten(unit);
  if (power < 0)
    refuse(unit == "m" ? "is ambiguous: M is a million"
           : unit == "g" || unit == "t"
               ? "is ambiguous: G is a thousand million, T a million million"
           : unit.starts_with(',')
               ? "is ambiguous: leave out the commas, or write 1_000_000"
               : "is not a number of keys: try 1000000, 1_000_000, 1M or 1e6 (k, M, G, T "
                 "are powers of ten)");
  if (after_point > 0) power -= after_point;
  for (; power < 0 && digits_of_it.ends_with('0'); ++power) digits_of_it.pop_back();
  if (power < 0 && !digits_of_it.empty()) refuse("is not a whole number of keys");
  digits_of_it.append(static_cast<std::size_t>(std::max(power, 0)), '0');
  return whole_number(digits_of_it, min);
}

double growth_number(const std::string& text) {
  std::string number = text;
  if (number.ends_with('x')) number.pop_back();
  double times = 0;
  const char* const end = number.data() + number.size();
  const auto [at, wrong] = std::from_chars(number.data(), end, times);
  if (wrong != std::errc{} || at != end || !(times >= 1) || !(times <= 1e15))
    throw usage_error(fmt::format(
        "'{}' is no growth: write 100x for up to hundred times the first keys", text));
  return times;
}

double rate_number(const std::string& text) {
  const std::string bad =
      fmt::format("'{}' is not a rate: write 0.01 or 1% for one in a hundred", text);
  std::string number = text;
  const bool is_percent = number.ends_with('%');
  if (is_percent) {
    number.pop_back();
    if (number.ends_with(' ')) number.pop_back();
    // By its digits, not by a division: 0.7% is the same double as 0.007.
    const std::size_t e = number.find_first_of("eE");
    int power = -2;
    if (e != std::string::npos) {
      const char* const end = number.data() + number.size();
      int exponent = 0;
      const char* from = number.data() + e + 1;
      from += from != end && *from == '+';
      const auto [rest, failed] = std::from_chars(from, end, exponent);
      if (failed != std::errc{} || rest != end || std::abs(exponent) > 1000)
        throw usage_error(bad);
      power += exponent;
      number.resize(e);
    }
    number += fmt::format("e{}", power);
  }
  double rate = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, failed] = std::from_chars(number.data(), end, rate);
  if (failed != std::errc{} || rest != end) throw usage_error(bad);
  if (!is_percent && rate >= 1 && rate < 100)
    throw usage_error(fmt::format(
        "'{0}' is ambiguous, a rate is below 1: try --fpr {0}%, which is {1:.6g}", text,
        rate / 100));
  return rate;
}

std::uint64_t byte_size(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  const double each = unit(std::string_view(rest, static_cast<std::size_t>(end - rest)));
  if (failed != std::errc{} || each == 0 || !(number * each >= 1))
    throw usage_error(
        fmt::format("'{}' is not a size: try 4096, 64K, 16MiB or 1G", text));
  if (number * each > 0x1p62)
    throw usage_error(fmt::format("'{}' is too large: this machine has {}", text,
                                  size(machine_memory())));
  return static_cast<std::uint64_t>(number * each);
}

std::chrono::seconds duration(const std::string& text) {
  std::uint64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, n);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::uint64_t each = unit.empty() || unit == "s" ? 1
                             : unit == "m"               ? 60
                             : unit == "h"               ? 3600
                                                         : 0;
  constexpr std::uint64_t max = 1'000'000'000;
  if (failed != std::errc{} || each == 0 || n > max / each)
    throw usage_error(fmt::format("'{}' is not a time: try 90s, 5m or 1h", text));
  return std::chrono::seconds(n * each);
}

double rate_between_0_and_1(const std::string& text) {
  const double rate = rate_number(text);
  if (rate > 0 && rate < 1) return rate;
  throw usage_error(
      fmt::format("'{}' is not a rate between 0 and 1: try 0.01, 1% or 1e-6", text));
}

seed_number seed_of(const std::string& text) {
  if (!text.starts_with('-')) return {digits(text), false};
  const std::uint64_t n = digits(text.substr(1));
  if (n > std::uint64_t{1} << 31)
    throw usage_error(fmt::format("'{}' does not fit 32 bits", text));
  return {std::uint64_t{0} - n, true};
}

}  // namespace bloomery::cli
