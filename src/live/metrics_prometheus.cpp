// https://prometheus.io/docs/instrumenting/exposition_formats/, "Text-based format".
//
// All lines of one family stand together, below its HELP and TYPE: so families are the
// outer loop and filters the inner one.
#include <bloomery/detail/live/metrics.hpp>

#include <algorithm>

#include "live/metric_table.hpp"
#include "live/put_value.hpp"
#include "live/text_writer.hpp"
#include "live/utf8.hpp"

namespace bloomery::inline v1 {
namespace {

using live::metric_type;
using live::text_writer;

constexpr live::number_words prometheus_words{"NaN", "+Inf", "-Inf"};

void put_label(text_writer& out, std::string_view name, std::string_view value) noexcept {
  out.put(name).put("=\"");
  live::write_utf8(
      value, [&](std::string_view piece) { out.put(piece); },
      [](char c) -> std::string_view {
        if (c == '\\') return "\\\\";
        if (c == '"') return "\\\"";
        if (c == '\n') return "\\n";
        if (c == '\0') return live::replacement;  // ends the text for some readers
        return {};
      });
  out.put("\"");
}

void put_header(text_writer& out, std::string_view prefix, std::string_view name,
                metric_type type, std::string_view help) noexcept {
  out.put("# HELP ").put(prefix).put(name).put(" ").put(help).put("\n");
  out.put("# TYPE ").put(prefix).put(name);
  out.put(type == metric_type::counter ? " counter\n" : " gauge\n");
}

}  // namespace

void to_prometheus(std::span<const live_metrics> filters, text_sink sink) noexcept {
  if (filters.empty()) return;
  text_writer out(sink);
  put_header(out, live::name_prefix, "info", metric_type::gauge,
             "1; the labels say what the filter is.");
  for (const live_metrics& m : filters) {
    put_label(out.put(live::name_prefix).put("info{"), "filter", m.name);
    put_label(out.put(","), "kind", m.kind);
    out.put("} 1\n");
  }
  for (const auto& row : live::filter_table()) {
    put_header(out, live::name_prefix, row.name, row.type, row.help);
    for (const live_metrics& m : filters) {
      put_label(out.put(live::name_prefix).put(row.name).put("{"), "filter", m.name);
      put_value(out.put("} "), row.of(m), prometheus_words);
      out.put("\n");
    }
  }
  const auto has_tenants = [](const live_metrics& m) { return !m.tenants.empty(); };
  if (std::ranges::none_of(filters, has_tenants)) return;
  for (const auto& row : live::tenant_table()) {
    put_header(out, live::tenant_prefix, row.name, row.type, row.help);
    for (const live_metrics& m : filters)
      for (const tenant_metrics& t : m.tenants) {
        put_label(out.put(live::tenant_prefix).put(row.name).put("{"), "filter", m.name);
        put_label(out.put(","), "tenant", t.tenant);
        put_value(out.put("} "), row.of(t), prometheus_words);
        out.put("\n");
      }
  }
}

}  // namespace bloomery::inline v1
