#include "facts.hpp"

#include <cstdio>

namespace bloomery::py {
namespace {

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace

std::string size_text(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

std::string describe(const char* name, std::string_view kind, std::uint64_t capacity,
                     std::size_t bytes, const hasher& h) {
  std::string text = std::string("<bloomery.") + name + ": " + std::string(kind);
  if (capacity != 0) text += ", for " + grouped(capacity) + " keys";
  text += ", " + size_text(static_cast<double>(bytes)) + ", keys are " +
          name_of(h.source()) + ", hash " + name_of(h.id());
  if (h.seed() != 0) text += ", seed " + std::to_string(h.seed());
  return text + ">";
}

}  // namespace bloomery::py
