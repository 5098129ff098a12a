// The texts of metrics, and what their readers find in them.
#pragma once

#include <map>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include <bloomery/detail/live/metrics.hpp>

#include "prometheus_parser.hpp"

namespace bloomery::testing {

using families = std::map<std::string, prometheus_family>;

inline std::string prometheus_text(std::span<const live_metrics> filters) {
  std::string out;
  append_text(to_prometheus, filters, out);
  return out;
}
inline families prometheus_of(std::span<const live_metrics> filters) {
  return prometheus_parser::parse(prometheus_text(filters));
}
inline nlohmann::json json_of(std::span<const live_metrics> filters) {
  std::string out;
  append_text(to_json, filters, out);
  return nlohmann::json::parse(out);
}

}  // namespace bloomery::testing
