// The metrics, one row each: both texts are written from here, so they cannot differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include <bloomery/detail/live/metrics.hpp>

namespace bloomery::live {

// A count, a measure, or not known.
using metric_value = std::variant<std::monostate, std::uint64_t, double>;

inline constexpr std::string_view name_prefix = "bloomery_";
inline constexpr std::string_view tenant_prefix = "bloomery_tenant_";

enum class metric_type : std::uint8_t { gauge, counter };

template <class Row>
struct metric {
  std::string_view name;  // after the prefix
  metric_type type;
  std::string_view help;  // one line without backslashes
  metric_value (*of)(const Row&) noexcept;
};

std::span<const metric<live_metrics>> filter_table() noexcept;
std::span<const metric<tenant_metrics>> tenant_table() noexcept;

}  // namespace bloomery::live
