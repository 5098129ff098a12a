#include "keys/text_check.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

struct magic {
  std::string_view bytes;
  std::string_view name;
  std::string_view reader;            // a command that prints the text
  bool needs_file = false;            // and cannot read a pipe
  std::string_view pipe_reader = {};  // if it is another
};

// Magic numbers of compressed data.  Brotli and raw deflate have none.
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
    {"PK\x03\x04"sv, "zip", "unzip -p", true},
    {"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x -so", true},
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

bool is_tar(std::string_view head) {
  return head.size() >= 262 && head.substr(257).starts_with("ustar");
}

// Two bytes that text may begin with, too ("x^2"): it must go on as no text does.
bool is_zlib(std::string_view head) {
  if (head.size() < 8 || head[0] != 'x' ||
      "\x01\x5e\x9c\xda"sv.find(head[1]) == std::string_view::npos)
    return false;
  const std::string_view rest = head.substr(2, 62);
  const auto is_control = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  const auto is_high = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  return std::ranges::any_of(rest, is_control) && std::ranges::any_of(rest, is_high);
}

const magic* compression_of(std::string_view head) {
  static constexpr magic bzip2{"", "bzip2", "bzcat"}, lzma{"", "lzma", "xzcat"},
      zstd{"", "zstd", "zstdcat"}, zlib{"", "zlib", "pigz -dc <", false, "pigz -dc"},
      tar{"", "tar", "tar -xOf", false, "tar -xO"};
  if (is_bzip2(head)) return &bzip2;
  if (is_lzma(head)) return &lzma;
  if (is_skippable_zstd(head)) return &zstd;
  if (is_zlib(head)) return &zlib;
  if (is_tar(head)) return &tar;
  const auto* found = std::ranges::find_if(
      magics, [&](const magic& m) { return head.starts_with(m.bytes); });
  return found == std::end(magics) ? nullptr : found;
}

// Units of UTF-16 whose surrogates come in pairs, which other data soon breaks.
bool has_paired_surrogates(std::string_view head, unsigned high) {
  bool is_open = false;
  for (std::size_t i = 0; i + 2 <= head.size(); i += 2) {
    const unsigned kind = static_cast<unsigned char>(head[i + high]) & 0xfc;
    if (is_open != (kind == 0xdc)) return false;
    is_open = kind == 0xd8;
  }
  return true;
}

// Newlines are whole units.  In Latin text one of the two bytes is mostly NUL, and the
// other hardly ever; in other scripts the newlines may be the only sign.
bool is_utf16(std::string_view head, unsigned high) {
  const std::size_t pairs = head.size() / 2;
  std::size_t nuls[2] = {}, newlines = 0, units = 0;
  for (std::size_t i = 0; i < 2 * pairs; ++i) {
    nuls[i % 2] += head[i] == '\0';
    newlines += head[i] == '\n';
  }
  for (std::size_t i = 0; i < 2 * pairs; i += 2)
    units += head[i + high] == '\0' && head[i + 1 - high] == '\n';
  const bool is_latin = 4 * nuls[high] >= pairs && 16 * nuls[1 - high] <= pairs;
  const bool has_lines = units != 0 && 4 * nuls[1 - high] <= pairs;
  return pairs >= 2 && 2 * units >= newlines && (is_latin || has_lines) &&
         has_paired_surrogates(head, high);
}

// Units of four bytes, each of them a character, and none of them NUL.
bool is_utf32(std::string_view head, bool is_big) {
  const auto byte = [&](std::size_t at, std::size_t i) {
    return static_cast<unsigned char>(head[at + (is_big ? 3 - i : i)]);
  };
  for (std::size_t at = 0; at + 4 <= head.size(); at += 4) {
    const bool is_nul = byte(at, 0) == 0 && byte(at, 1) == 0 && byte(at, 2) == 0;
    if (is_nul || byte(at, 3) != 0 || byte(at, 2) > 0x10) return false;
  }
  return head.size() >= 8;
}

// The name that iconv has for it, or empty.
std::string_view wide_by_nuls(std::string_view head) {
  return is_utf32(head, false)  ? "UTF-32LE"
         : is_utf32(head, true) ? "UTF-32BE"
         : is_utf16(head, 1)    ? "UTF-16LE"
         : is_utf16(head, 0)    ? "UTF-16BE"
                                : "";
}

std::string nul_in_lines(const std::string& from, std::string_view head,
                         std::uint64_t at) {
  const auto name = wide_by_nuls(head);
  if (name.starts_with("UTF-16"))
    return fmt::format(
        "looks like {}, without a byte order mark: --encoding {}, or -0 if its keys end "
        "in NUL",
        name, name == "UTF-16LE" ? "utf-16le" : "utf-16be");
  if (!name.empty())
    return fmt::format("looks like {0}: iconv -f {0} -t UTF-8{1}", name, from);
  return fmt::format(
      "has a NUL byte at offset {}: is it UTF-16 text (--encoding utf-16le), binary "
      "data, or keys that end in NUL (-0)?",
      at);
}

std::string compressed(const magic& m, const std::string& file) {
  if (!file.empty())
    return fmt::format("is {} data, not text: {} {} | bloomery ...", m.name, m.reader,
                       file);
  if (m.needs_file)
    return fmt::format(
        "is {} data, not text, and its reader takes no pipe: save it, and {} FILE | "
        "bloomery ...",
        m.name, m.reader);
  return fmt::format("is {} data, not text: ... | {} | bloomery ...", m.name,
                     m.pipe_reader.empty() ? m.reader : m.pipe_reader);
}

}  // namespace

void text_check::see_start(std::string_view fresh) {
  head_ += fresh.substr(0, head_size - head_.size());
  const std::size_t nul = fresh.find('\0');
  if (nul_at_ == none && nul != std::string_view::npos) nul_at_ = seen_ + nul;
  for (const char byte : fresh) {
    newlines_ += byte == '\n';
    first_crs_ += byte == '\r' && newlines_ == 0;
    if (byte == '\n' && last_ == '\r' && dos_line_ == 0) dos_line_ = newlines_;
    last_ = byte;
  }
  seen_ += fresh.size();
}

// Text has hardly any CR: one search per block.
void text_check::see_rest(std::string_view fresh) {
  const auto note = [&](std::size_t newline) {
    if (dos_at_ == 0) dos_at_ = bytes_ + newline;
  };
  if (last_ == '\r' && fresh.front() == '\n') note(0);
  for (std::size_t cr = fresh.find('\r'); cr != std::string_view::npos && dos_at_ == 0;
       cr = fresh.find('\r', cr + 1))
    if (cr + 1 < fresh.size() && fresh[cr + 1] == '\n') note(cr + 1);
  bytes_ += fresh.size();
  last_ = fresh.back();
}

// Marks that text_input leaves: of UTF-32, a second one, or before keys that end in NUL.
std::string text_check::why_not_mark() const {
  if (head_.starts_with("\xff\xfe\0\0"sv) || head_.starts_with("\0\0\xfe\xff"sv))
    return fmt::format("is UTF-32, by its byte order mark: iconv -f UTF-32 -t UTF-8{}",
                       file_.empty() ? "" : " " + file_);
  if (head_.starts_with("\xff\xfe"sv) || head_.starts_with("\xfe\xff"sv))
    return fmt::format("is UTF-16, by its byte order mark: --encoding {}",
                       head_[0] == '\xff' ? "utf-16le" : "utf-16be");
  if (head_.starts_with("\xef\xbb\xbf"sv))
    return "begins with a byte order mark, which would be part of its first key: "
           "--encoding utf-8 drops it";
  return {};
}

std::string text_check::why_not() const {
  const magic* const m = compression_of(head_);
  if (m != nullptr && !unpacked_by_.empty())
    return fmt::format(
        "is {} data inside compressed data: {}{} | bloomery ...", m->name,
        file_.empty() ? "... | " : "",
        fmt::format("{}{}{}", unpacked_by_, file_.empty() ? "" : " ", file_));
  if (m != nullptr) return compressed(*m, file_);
  if (std::string why = why_not_mark(); !why.empty()) return why;
  if (is_nul_separated_) return {};
  if (nul_at_ != none)
    return nul_in_lines(file_.empty() ? "" : " " + file_, head_, nul_at_);
  if (dos_line_ != 0 && !keeps_cr_)
    return fmt::format(
        "line {} ends in CR LF, and the first does not: --crlf drops one CR before each "
        "newline",
        dos_line_);
  if (dos_at_ != 0 && !keeps_cr_)
    return fmt::format(
        "the line before byte {} ends in CR LF, and the first does not: --crlf drops one "
        "CR before each newline",
        dos_at_);
  return seen_ == start_size && newlines_ == 0 && first_crs_ > 1 ? only_cr() : "";
}

std::string text_check::why_not_whole() const {
  if (is_nul_separated_ || seen_ == start_size) return {};
  if (newlines_ == 0 && first_crs_ != 0) return only_cr();
  if (last_ != '\r') return {};
  return fmt::format("line {} ends in CR without a newline: was the file cut short?",
                     newlines_ + 1);
}

std::string text_check::only_cr() const {
  return fmt::format(
      "has CR and no newline, as if its lines ended in CR alone: tr '\\r' '\\n'{}",
      file_.empty() ? "" : " < " + file_);
}

}  // namespace bloomery::cli
