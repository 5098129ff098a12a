#include <bloomery/detail/key_source.hpp>

#include <array>
#include <cstddef>

namespace bloomery::inline v1 {
namespace {

// In the order of their numbers.  Files hold the names: never rename one.
constexpr std::array names{"bytes",   "integers", "hashes",  "int32", "int32be",
                           "int64be", "float32",  "float64", "utf16"};
static_assert(names.size() == static_cast<std::size_t>(last_key_source) + 1);

}  // namespace

const char* name_of(key_source source) noexcept {
  return source <= last_key_source ? names[static_cast<std::size_t>(source)] : "unknown";
}

std::optional<key_source> find_key_source(std::string_view name) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<key_source>(i);
  return std::nullopt;
}

}  // namespace bloomery::inline v1
