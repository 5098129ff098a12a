#include "messages.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace bloomery::cli {
namespace {

std::string_view advice(errc code) {
  switch (code) {
    case errc::corrupt:
      return "; restore the file or build it again, or name another --dialect";
    case errc::incompatible:
      return "; only filters built with the same options can be combined";
    case errc::out_of_memory:
      return "; ask for fewer keys, a higher --fpr or less --memory";
    case errc::too_large:
      return "; ask for fewer keys or a higher --fpr";
    default:
      return "";
  }
}

}  // namespace

std::string describe(std::string_view path, const error& e) {
  std::string text = fmt::format("{}: {}", path, e.what);
  switch (e.code) {
    case errc::io:
      text += fmt::format(": {}", std::strerror(static_cast<int>(e.asked)));
      break;
    case errc::corrupt:
      text += fmt::format(" (at byte {}", e.at);
      if (e.asked > 0)
        text += fmt::format(": needs {:.0f}, found {:.0f}", e.asked, e.possible);
      text += ")";
      break;
    case errc::incompatible:
      if (e.asked > 0)
        text += fmt::format(" ({:.0f} against {:.0f})", e.asked, e.possible);
      break;
    case errc::out_of_memory:
    case errc::too_large:
      if (e.asked > 0) text += fmt::format(" ({:.3g} asked)", e.asked);
      break;
    default:
      break;
  }
  return text.append(advice(e.code));
}

std::string rate(double fpr) {
  if (fpr >= 0.001 || fpr <= 0) return fmt::format("{:.3g} %", 100 * fpr);
  return fmt::format("{:.3g} (1 in {:.3g})", fpr, 1 / fpr);
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

std::string size(std::uint64_t bytes) { return size(static_cast<double>(bytes)); }

std::string size(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = bytes;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  if (value >= 1024) return fmt::format("{:.3g} bytes", bytes);
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace bloomery::cli
