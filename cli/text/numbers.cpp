#include "text/numbers.hpp"

#include <fmt/core.h>

#include <charconv>
#include <string_view>

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

}  // namespace

std::uint64_t whole_number(const std::string& text, std::uint64_t min) {
  const std::uint64_t n = digits(text);
  if (n < min) throw usage_error(fmt::format("'{}' is too few: try {}", text, min));
  return n;
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

double rate_between_0_and_1(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit == "%") number /= 100;
  if (failed != std::errc{} || (unit != "" && unit != "%") || !(number > 0 && number < 1))
    throw usage_error(
        fmt::format("'{}' is not a rate between 0 and 1: try 0.01, 1% or 1e-6", text));
  return number;
}

seed_number seed_of(const std::string& text) {
  if (!text.starts_with('-')) return {digits(text), false};
  const std::uint64_t n = digits(text.substr(1));
  if (n > std::uint64_t{1} << 31)
    throw usage_error(fmt::format("'{}' does not fit 32 bits", text));
  return {std::uint64_t{0} - n, true};
}

}  // namespace bloomery::cli
