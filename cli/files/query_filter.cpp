#include "files/query_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {
namespace {

// Whether any member may contain it, or the one that was asked for.
bool ask(const packed_set& set, std::uint64_t part, std::string_view text) {
  const key k = set.hash(text);
  if (part != foreign_options::every_part) return set.may_contain(part, k);
  std::array<std::uint64_t, 64> found;
  for (std::uint64_t first = 0; first < set.size(); first += 64 * found.size()) {
    const auto count = std::min<std::uint64_t>(64 * found.size(), set.size() - first);
    const auto words = std::span(found).first((count + 63) / 64);
    set.may_contain(first, count, k, words);
    if (std::ranges::any_of(words, [](std::uint64_t w) { return w != 0; })) return true;
  }
  return false;
}

}  // namespace

void opened::may_contain(std::span<const std::string_view> keys,
                         std::span<bool> out) const {
  if (const auto* set = std::get_if<packed_set>(&filter)) {
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = ask(*set, part, keys[i]);
    return;
  }
  std::visit(
      [&](const auto& f) {
        if constexpr (requires { f.may_contain(keys, out); }) f.may_contain(keys, out);
      },
      filter);
}

std::string opened::dialect_name() const {
  return cli::dialect_name(*how, std::get_if<foreign_filter>(&filter));
}

std::optional<std::string> opened::damage() const {
  if (const auto* bare = std::get_if<portable_bloom>(&filter)) {
    if (bare->padding_is_clear()) return std::nullopt;
    return "damaged or of another dialect: bits beyond the last one are set, which no "
           "writer of this format does";
  }
  const std::uint64_t damaged = std::visit(
      [&](const auto& f) -> std::uint64_t {
        if constexpr (requires { f.damaged_chunks(); })
          return f.damaged_chunks();
        else
          return damaged_at_loading;
      },
      filter);
  if (damaged == 0) return std::nullopt;
  return fmt::format(
      "damaged: {} of {} chunks so far, which answer \"perhaps\"; "
      "bloomery verify tells more",
      grouped(damaged), grouped(container->chunks()));
}

read_report check_container(const std::string& path) {
  progress bar("checking");
  const auto report = verify_container(path.c_str(), calls_of(bar));
  if (!report) throw failure(describe(path, report.error(), context::reading_container));
  return *report;
}

std::vector<std::uint64_t> sentinels_of(const std::string& path,
                                        const container_facts& facts) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(facts.tail_at()));
  std::vector<std::uint64_t> all;
  for (unsigned i = 0; i < facts.sentinels; ++i) {
    std::array<char, 8> bytes{};
    if (!in.read(bytes.data(), bytes.size()))
      throw failure(fmt::format("{}: shrank while it was read", path));
    std::uint64_t n = 0;
    for (unsigned b = 8; b-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[b]);
    all.push_back(n);
  }
  return all;
}

std::string damaged_chunks_in_words(const read_report& report) {
  return fmt::format("{} of {} chunks damaged, first at byte {}",
                     grouped(report.damaged_chunks), grouped(report.facts.chunks()),
                     report.first_damage_at);
}

std::string damage_in_words(const read_report& report) {
  return damaged_chunks_in_words(report) + "; they answer \"perhaps\"";
}

}  // namespace bloomery::cli
