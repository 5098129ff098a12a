#include "keys/text_check.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

struct magic {
  std::string_view bytes;
  std::string_view name;
  std::string_view reader;  // a command that prints the text
};

// Of compressed data.  Brotli and raw deflate have none.
constexpr magic magics[] = {
    {"\x1f\x8b"sv, "gzip", "zcat"},
    {"\x28\xb5\x2f\xfd"sv, "zstd", "zstdcat"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz", "xzcat"},
    {"\x1f\x9d"sv, "compress", "zcat"},
    {"\x04\x22\x4d\x18"sv, "lz4", "lz4cat"},
    {"\x02\x21\x4c\x18"sv, "lz4", "lz4cat"},
    {"LZIP\x01"sv, "lzip", "lzip -dc"},
    {"\x89LZO\0\r\n"sv, "lzop", "lzop -dc"},
    {"PK\x03\x04"sv, "zip", "unzip -p"},
    {"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x -so"},
    {"\xff\x06\0\0sNaPpY"sv, "snappy", "snzip -dc"},
};

bool is_bzip2(std::string_view head) {
  return head.size() >= 10 && head.starts_with("BZh") && head[3] >= '1' &&
         head[3] <= '9' &&
         (head.substr(4).starts_with("1AY&SY") ||
          head.substr(4).starts_with("\x17\x72\x45\x38\x50\x90"sv));  // of nothing
}

// A frame that a decompressor skips; real ones follow.
bool is_skippable_zstd(std::string_view head) {
  return head.size() >= 4 && (head[0] & 0xf0) == 0x50 &&
         head.substr(1).starts_with("\x2a\x4d\x18"sv);
}

bool is_lzma(std::string_view head) {
  return head.size() >= 13 && head.starts_with("\x5d\0\0"sv) &&
         head.substr(5).starts_with("\xff\xff\xff\xff\xff\xff\xff\xff"sv);
}

const magic* compression_of(std::string_view head) {
  static constexpr magic bzip2{"", "bzip2", "bzcat"}, lzma{"", "lzma", "xzcat"},
      zstd{"", "zstd", "zstdcat"};
  if (is_bzip2(head)) return &bzip2;
  if (is_lzma(head)) return &lzma;
  if (is_skippable_zstd(head)) return &zstd;
  const auto* found = std::ranges::find_if(
      magics, [&](const magic& m) { return head.starts_with(m.bytes); });
  return found == std::end(magics) ? nullptr : found;
}

// The name that iconv has for it, or empty.
std::string_view utf16_by_mark(std::string_view head) {
  if (head.starts_with("\xff\xfe\0\0"sv) || head.starts_with("\0\0\xfe\xff"sv))
    return "UTF-32";
  return head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv) ? "UTF-16" : "";
}

// In UTF-16 of Latin text one of the two bytes is mostly NUL, and the other hardly ever.
std::string_view utf16_by_nuls(std::string_view head) {
  head = head.substr(0, 4096);
  std::size_t nuls[2] = {};
  for (std::size_t i = 0; i < head.size(); ++i) nuls[i % 2] += head[i] == '\0';
  const std::size_t pairs = head.size() / 2;
  const auto is_high = [&](unsigned half) {
    return 4 * nuls[half] >= pairs && 16 * nuls[1 - half] <= pairs;
  };
  return pairs < 2 ? "" : is_high(1) ? "UTF-16LE" : is_high(0) ? "UTF-16BE" : "";
}

std::string nul_in_lines(const std::string& from, std::string_view head, std::size_t at) {
  if (const auto name = utf16_by_nuls(head); !name.empty())
    return fmt::format("looks like {0}: iconv -f {0} -t UTF-8{1}", name, from);
  return fmt::format(
      "has a NUL byte at offset {}, which is no text: keys that end in NUL take -0", at);
}

}  // namespace

std::string why_not_text(const std::string& file, const first_block& b) {
  const std::string from = file.empty() ? "" : " " + file;
  if (const magic* m = compression_of(b.bytes))
    return fmt::format("is {} data, not text: {}{} | bloomery ...", m->name, m->reader,
                       from);
  if (const auto name = utf16_by_mark(b.bytes); !name.empty())
    return fmt::format("is {0}, by its byte order mark: iconv -f {0} -t UTF-8{1}", name,
                       from);
  if (b.bytes.starts_with("\xef\xbb\xbf"sv))
    return fmt::format(
        "begins with a byte order mark, which would be part of its first key: tail -c "
        "+4{}",
        from);
  if (b.is_nul_separated) return {};
  if (const auto at = b.bytes.find('\0'); at != std::string_view::npos)
    return nul_in_lines(from, b.bytes, at);
  const auto dos = std::ranges::find_if(
      b.records, [](std::string_view r) { return r.ends_with('\r'); });
  if (dos != b.records.end())
    return fmt::format(
        "line {} ends in CR LF, and the CR would be part of the key: tr -d '\\r'{}",
        dos - b.records.begin() + 1, file.empty() ? "" : " < " + file);
  return {};
}

}  // namespace bloomery::cli
