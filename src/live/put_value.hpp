// A number of a metric as text: what JSON and Prometheus differ in are three words.
#pragma once

#include <cmath>
#include <string_view>
#include <variant>

#include "live/metric_table.hpp"
#include "live/text_writer.hpp"

namespace bloomery::live {

struct number_words {
  std::string_view unknown, infinite, minus_infinite;
};

inline void put_value(text_writer& out, const metric_value& value,
                      const number_words& words) noexcept {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) {
    out.number(*count);
    return;
  }
  const auto* x = std::get_if<double>(&value);
  if (x == nullptr || std::isnan(*x))
    out.put(words.unknown);
  else if (std::isinf(*x))
    out.put(*x > 0 ? words.infinite : words.minus_infinite);
  else
    out.number(*x);
}

}  // namespace bloomery::live
