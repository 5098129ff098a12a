#include "files/likely_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/portable_bloom.hpp>

#include "files/dialects.hpp"
#include "files/known_files.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

using byte_span = std::span<const std::byte>;

std::string hex_of(byte_span some) {
  std::string text;
  for (const std::byte b : some)
    text +=
        fmt::format("{}{:02x}", text.empty() ? "" : " ", std::to_integer<unsigned>(b));
  return text;
}

// What a reader made of the bytes.
struct reading {
  std::string_view variant;
  std::uint64_t hashes = 0, bits = 0, parts = 1;
  std::uint64_t at = 0, length = 0;  // of the cells
  double fill = 0;
};

std::optional<reading> read_as(const dialect& d, byte_span image) {
  if (d.of == family::portable) {
    const auto f = portable_bloom::decode(image);
    if (!f) return std::nullopt;
    return reading{{}, f->hashes(), f->bits(), 1, 12, image.size() - 12, f->fill()};
  }
  const auto f = foreign_filter::decode(d.facts.name, image);
  if (!f) return std::nullopt;
  reading r{f->variant(), f->hashes(), f->bits(), f->parts(), 0, 0, f->fill()};
  if (r.parts != 0) {
    r.at = f->part(0).offset;
    r.length = f->part(0).length;
  }
  return r;
}

// Bytes around the cells had to agree with the length, where cells alone may be anything,
// and they say what filters in use are like: few hashes, and neither hardly any nor
// nearly all bits set.
bool is_likely(const reading& r, std::uint64_t size) {
  constexpr std::uint64_t enough = 4;  // any byte is a number of hashes
  return size - std::min(size, r.length) >= enough && r.hashes <= 64 && r.fill > 0.001 &&
         r.fill < 0.97;
}

// "bytes 0-5 (01 07 00 00 00 02)", of which the first 16 are shown.
std::string shown(byte_span image, std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t max_shown = 16;
  const auto count = std::min(to - from, max_shown);
  return fmt::format("bytes {}-{} ({}{})", from, to - 1,
                     hex_of(image.subspan(static_cast<std::size_t>(from),
                                          static_cast<std::size_t>(count))),
                     count < to - from ? " .." : "");
}

// "bytes 0-5 (01 07 00 00 00 02) read as its header: 7 hashes, 128 bits; ..."
std::string evidence_of(const reading& r, byte_span image) {
  const std::uint64_t size = image.size(), end = r.at + r.length;
  const bool has_header = r.at != 0 && r.at <= size;
  std::string text;
  if (has_header)
    text = shown(image, 0, r.at) + " read as its header: ";
  else if (r.parts == 1 && end < size)
    text = shown(image, end, size) + " read as its trailer: ";
  if (!r.variant.empty()) text += fmt::format("variant {}, ", r.variant);
  if (r.parts > 1) text += fmt::format("{} filters, ", grouped(r.parts));
  text += fmt::format("{} hash{}, {} bits", grouped(r.hashes), r.hashes == 1 ? "" : "es",
                      grouped(r.bits));
  if (has_header && r.parts == 1 && end == size)
    text += fmt::format("; {} + {} bytes are the whole file", r.at, grouped(r.length));
  return text + fmt::format("; {:.1f} % of the bits are set", 100 * r.fill);
}

// "to be read it takes --variant: new, old or ka"
std::string takes_of(const dialect& d) {
  const auto needs = needs_of(d.facts);
  std::string text = fmt::format("to be read it takes {}", fmt::join(needs, " "));
  if (std::ranges::find(needs, "--variant") == needs.end()) return text;
  const auto variants = variants_of(d.facts);
  for (std::size_t i = 0; i < variants.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                     ? ": "
                        : i + 1 == variants.size() ? " or "
                                                   : ", ",
                        variants[i].name);
  return text;
}

std::string shown_as_text(std::string_view head) {
  std::string text;
  for (const char c : head) text += c >= ' ' && c <= '~' ? c : '.';
  return text;
}

}  // namespace

std::vector<candidate> candidates_for(filter_file& file) {
  const byte_span image = file.image().bytes();
  std::vector<candidate> all;
  for (const dialect& d : dialects()) {
    if (d.of == family::container || d.could_be(image) == likeness::no) continue;
    const auto r = read_as(d, image);
    if (!r && d.facts.any_bytes) continue;
    if (!r)
      all.push_back({d.facts.name,
                     fmt::format("its header agrees with the length; {}", takes_of(d)),
                     true, example_options(d.facts)});
    else
      all.push_back(
          {d.facts.name, evidence_of(*r, image), is_likely(*r, image.size()), ""});
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const candidate& c) { return c.is_likely; });
  return all;
}

json unknown_report(filter_file& file) {
  constexpr std::size_t max_first = 16, max_head = 4096;
  const byte_span image = file.image().bytes();
  const byte_span start = image.first(std::min(image.size(), max_head));
  const std::string head(reinterpret_cast<const char*>(start.data()), start.size());
  json j;
  j["dialect"] = nullptr;
  j["bytes"] = image.size();
  j["first_bytes"] = hex_of(start.first(std::min(start.size(), max_first)));
  j["first_text"] = shown_as_text(std::string_view(head).substr(0, max_first));
  const std::string_view known = known_as(head);
  j["known_as"] = known.empty() ? json(nullptr) : json(known);
  j["candidates"] = json::array();
  for (const candidate& c : candidates_for(file))
    j["candidates"].push_back(
        json::object({{"dialect", c.dialect},
                      {"likely", c.is_likely},
                      {"evidence", c.evidence},
                      {"options", "--dialect " + std::string(c.dialect) + c.options}}));
  return j;
}

std::string unknown_in_words(const json& report, const std::string& argument) {
  const auto line = [](std::string_view name, std::string_view what) {
    return fmt::format("{:<14} {}\n", name, what);
  };
  const auto n = report.at("bytes").get<std::uint64_t>();
  std::string text = line("dialect", "unknown");
  text += line("bytes", fmt::format("{} ({})", grouped(n), size(n)));
  text += line("first bytes",
               fmt::format("{} |{}|", report.at("first_bytes").get<std::string>(),
                           report.at("first_text").get<std::string>()));
  if (!report.at("known_as").is_null()) {
    const auto& known = report.at("known_as").get<std::string>();
    const std::string_view reader = decompressor_of(known);
    text +=
        line("looks like",
             known == "text"
                 ? fmt::format("text; if it is keys: bloomery build {} -o OUT", argument)
             : reader.empty()
                 ? known
                 : fmt::format("{}; if a filter is inside: {} {} | bloomery info -",
                               known, reader, argument));
  }
  const auto& all = report.at("candidates").get<json::items>();
  for (const json& c : all)
    text += line(c.at("likely").get<bool>() ? "likely" : "possible",
                 fmt::format("{}: {}", c.at("dialect").get<std::string>(),
                             c.at("evidence").get<std::string>()));
  if (!all.empty())
    text += line("to read it",
                 fmt::format("bloomery info {} {}",
                             all.front().at("options").get<std::string>(), argument));
  return text;
}

}  // namespace bloomery::cli
