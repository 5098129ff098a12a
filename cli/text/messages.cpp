#include "text/messages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace bloomery::cli {
namespace {

std::string_view advice(const error& e, context c) {
  const bool reads = c != context::making;
  switch (e.code) {
    case errc::corrupt:
      return c == context::reading_bare
                 ? "; restore the file or build it again, or name another --dialect or "
                   "--variant"
                 : "; restore the file or build it again";
    case errc::out_of_memory:
      return reads ? "; it needs more memory than there is"
                   : "; use fewer keys, a higher --fpr or less --memory";
    case errc::too_large:
      return reads ? "" : "; use fewer keys or a higher --fpr";
    case errc::unsupported:
      return c == context::reading_container ? "; a later version of bloomery may read it"
             : c == context::reading_bare
                 ? "; a later version of bloomery may read it, or name another --dialect"
                 : "";
    case errc::full:
      return reads ? "" : "; raise --capacity or leave it out";
    default:
      return "";
  }
}

// "invalid argument"
std::string words(errc code) {
  std::string name = name_of(code);
  std::ranges::replace(name, '_', ' ');
  return name;
}

// "at byte 500: needs 1199, found 488", as far as it is known.
std::string details(const error& e, context c) {
  const bool has_numbers = e.asked != 0 || e.possible != 0;
  const auto numbers = [&](std::string_view words) {
    return has_numbers ? fmt::format(fmt::runtime(words), e.asked, e.possible)
                       : std::string();
  };
  switch (e.code) {
    case errc::corrupt:
      return fmt::format(" at byte {}{}", e.at, numbers(": needs {:.0f}, found {:.0f}"));
    case errc::unsupported:
      // Where nothing is read it is a request that is not supported, not bytes.
      if (c == context::making && e.at == 0 && !has_numbers) return "";
      return fmt::format(
          " at byte {}{}{}", e.at,
          has_numbers ? fmt::format(": found {:.0f}", e.asked) : "",
          e.possible != 0 ? fmt::format(", known: {:.0f}", e.possible) : "");
    case errc::incompatible:
      if (e.at != 0) return fmt::format(" at byte {}", e.at);
      return numbers(": {:.0f} against {:.0f}");
    case errc::out_of_memory:
    case errc::too_large:
    case errc::unattainable:
      return e.asked > 0
                 ? fmt::format(": {} asked", e.asked < 1 ? fmt::format("{:.3g}", e.asked)
                                                         : three_digits(e.asked))
                 : "";
    default:
      return "";
  }
}

}  // namespace

std::string describe(std::string_view path, const error& e, context c) {
  if (e.code == errc::io)
    return fmt::format("{}: {}: {}", path, e.what,
                       std::strerror(static_cast<int>(e.asked)));
  return fmt::format("{}: {} ({}{}){}", path, e.what, words(e.code), details(e, c),
                     advice(e, c));
}

// 3 significant digits: "1,090", and "2.12e+13" from a thousand million on.
std::string three_digits(double n) {
  if (!(n < 1e9) || n < 1000) return fmt::format("{:.3g}", n);
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(n)) - 2));
  return grouped(static_cast<std::uint64_t>(std::round(n / unit) * unit));
}

std::string rate(double fpr) {
  if (fpr >= 0.001 || fpr <= 0) return fmt::format("{:.3g} %", 100 * fpr);
  return fmt::format("{:.3g} (1 in {})", fpr, three_digits(1 / fpr));
}

std::string grouped(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string about_keys(double keys) {
  if (!std::isfinite(keys)) return "every bit set";
  const bool fits = keys < 1e18;
  return fmt::format(
      "about {} keys",
      fits ? grouped(static_cast<std::uint64_t>(std::round(std::max(keys, 0.0))))
           : fmt::format("{:.3g}", keys));
}

std::string size(std::uint64_t bytes) { return size(static_cast<double>(bytes)); }

std::string size(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = bytes;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  if (value >= 1024) return fmt::format("{:.3g} bytes", bytes);
  return unit == 0 ? fmt::format("{:.0f} byte{}", bytes, bytes == 1 ? "" : "s")
                   : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace bloomery::cli
