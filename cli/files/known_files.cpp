#include "files/known_files.hpp"

#include <algorithm>
#include <cstddef>

#include "text/json.hpp"

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

struct file_magic {
  std::string_view start, name;
};
constexpr file_magic magics[] = {
    {"\x1f\x8b"sv, "gzip data"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz data"},
    {"BZh"sv, "bzip2 data"},
    {"\x04\x22\x4d\x18"sv, "lz4 data"},
    {"PK\x03\x04"sv, "a zip archive"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    {"\x7f"
     "ELF"sv,
     "an ELF program or library"},
    {"%PDF-"sv, "a PDF document"},
    {"\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"SQLite format 3\0"sv, "an SQLite database"},
    {"\xff\xfe"sv, "UTF-16 text"},
    {"\xfe\xff"sv, "UTF-16 text"},
};

}  // namespace

std::string_view decompressor_of(std::string_view name) {
  return name == "gzip data"    ? "zcat"
         : name == "zstd data"  ? "zstdcat"
         : name == "xz data"    ? "xzcat"
         : name == "bzip2 data" ? "bzcat"
         : name == "lz4 data"   ? "lz4cat"
                                : "";
}

std::string_view known_as(std::string_view head) {
  for (const file_magic& m : magics)
    if (head.starts_with(m.start)) return m.name;
  if (head.size() >= 262 && head.substr(257).starts_with("ustar")) return "a tar archive";
  const auto is_text = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || c == '\t' || c == '\n' || c == '\r';
  };
  if (head.empty() || !std::ranges::all_of(head, is_text)) return {};
  // The last character may be cut: UTF-8 has up to 3 bytes of it.
  for (std::size_t cut = 0; cut < 4 && cut < head.size(); ++cut)
    if (json_string(head.substr(0, head.size() - cut))) return "text";
  return {};
}

}  // namespace bloomery::cli
