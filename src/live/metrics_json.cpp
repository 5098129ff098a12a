// RFC 8259.
#include <bloomery/detail/live/metrics.hpp>

#include <array>

#include "live/metric_table.hpp"
#include "live/put_value.hpp"
#include "live/text_writer.hpp"
#include "live/utf8.hpp"

namespace bloomery::inline v1 {
namespace {

using live::text_writer;

constexpr live::number_words json_words{"null", "\"+Inf\"", "\"-Inf\""};

void put_text(text_writer& out, std::string_view text) noexcept {
  std::array<char, 6> code{'\\', 'u', '0', '0'};
  out.put("\"");
  live::write_utf8(
      text, [&](std::string_view piece) { out.put(piece); },
      [&](char c) -> std::string_view {
        constexpr std::string_view hex = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"') return "\\\"";
        if (c == '\\') return "\\\\";
        if (byte >= 0x20) return {};
        code[4] = hex[byte / 16], code[5] = hex[byte % 16];
        return {code.data(), code.size()};
      });
  out.put("\"");
}

// , "name": value for each row of the table
template <class Row>
void put_numbers(text_writer& out, std::span<const live::metric<Row>> table,
                 const Row& row) noexcept {
  for (const auto& m : table)
    put_value(out.put(",\"").put(m.name).put("\":"), m.of(row), json_words);
}

void put_filter(text_writer& out, const live_metrics& m) noexcept {
  put_text(out.put("{\"name\":"), m.name);
  put_text(out.put(",\"kind\":"), m.kind);
  put_numbers(out, live::filter_table(), m);
  out.put(",\"tenants\":[");
  for (const tenant_metrics& t : m.tenants) {
    put_text(out.put(&t == m.tenants.data() ? "{\"tenant\":" : ",{\"tenant\":"),
             t.tenant);
    put_numbers(out, live::tenant_table(), t);
    out.put("}");
  }
  out.put("]}");
}

}  // namespace

void to_json(std::span<const live_metrics> filters, text_sink sink) noexcept {
  text_writer out(sink);
  out.put("{\"filters\":[");
  for (const live_metrics& m : filters) {
    if (&m != filters.data()) out.put(",");
    put_filter(out, m);
  }
  out.put("]}\n");
}

}  // namespace bloomery::inline v1
