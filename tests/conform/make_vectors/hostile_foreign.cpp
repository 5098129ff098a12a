// Rows of container_hostile.json about other systems' bytes: damage to files that hold
// several filters, or data that nobody looks at; notes that name a dialect oddly.
#include <algorithm>
#include <string>

#include <bloomery/container.hpp>

#include "base/crc32c.hpp"
#include "container_repair.hpp"
#include "container_samples.hpp"
#include "dialect_samples.hpp"
#include "make_vectors/hostile_rows.hpp"
#include "must.hpp"
#include "nori_images.hpp"
#include "parquet_images.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;

constexpr std::size_t chunk = 4096, payload_at = 128, footer_bytes = 64;

image_bytes wrapped(std::string_view dialect, const image_bytes& image,
                    const foreign_options& o = {}) {
  const auto made = must(encode_wrapped(must(foreign_filter::decode(dialect, image, o))));
  return {made.bytes().begin(), made.bytes().end()};
}

image_bytes filter_of(std::string_view dialect, std::uint64_t bits, std::uint32_t hashes,
                      const std::vector<std::string>& keys) {
  foreign_params p;
  p.bits = bits;
  if (hashes != 0) p.hashes = hashes;
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : keys) must(f.insert(k));
  return {f.bytes().begin(), f.bytes().end()};
}

// A table of format 1 with more data than a chunk before its section.
image_bytes table_with_data() {
  image_bytes out = testing::bloom_table(filter_of("nori", 256, 4, numbered("k", 10)));
  out.insert(out.begin(), 2 * chunk, std::byte{0x55});
  const std::size_t footer = out.size() - footer_bytes;
  for (const std::size_t field : {0, 16})
    out[footer + field + 1] =
        static_cast<std::byte>(std::to_integer<unsigned>(out[footer + field + 1]) + 0x20);
  const auto sum = base::crc32c(std::span(out).subspan(footer, 60));
  out.resize(footer + 60);
  testing::put(out, sum);
  return out;
}

image_bytes with_text(image_bytes file, std::string_view text) {
  const std::size_t notes = std::to_integer<std::size_t>(file[96]);
  file.resize(file.size() - 4 - notes);
  testing::put(file, std::uint16_t{0x8001});
  testing::put(file, std::uint16_t{0});
  testing::put(file, static_cast<std::uint32_t>(text.size()));
  for (const char c : text) file.push_back(static_cast<std::byte>(c));
  file[96] = static_cast<std::byte>(8 + text.size());
  file.resize(file.size() + 4);
  testing::repair_container(file);
  return file;
}

}  // namespace

std::vector<base_file> foreign_bases() {
  auto keys = numbered("k", 10);
  std::ranges::sort(keys);
  std::vector<base_file> out;
  foreign_options quotient;
  quotient.variant = "quotient";
  out.push_back({"large quotient",
                 wrapped("nori", testing::quotient_image(keys, 13, 7), quotient)});
  out.push_back({"large table", wrapped("nori", testing::block_table(keys, 4, 12))});
  out.push_back({"table with data", wrapped("nori", table_with_data())});
  const image_bytes file = testing::parquet_image(
      {{{.path = "a", .filter = filter_of("parquet", 8 * 8192, 0, {"k0", "k1"})},
        {.path = "b", .filter = filter_of("parquet", 8 * 32, 0, {"k2"})}}});
  out.push_back({"large parquet file", wrapped("parquet", file)});
  foreign_options second;
  second.part = 1;
  out.push_back({"its second part", wrapped("parquet", file, second)});
  return out;
}

// A chunk whose checksum is wrong, though its bytes are not; and bytes that are.
void foreign_damage(collector& out, const base_file& base) {
  out.add(base, base.bytes, "none");
  const std::size_t payload =
      static_cast<std::size_t>(testing::field_value(base.bytes, {"payload", 80, 8}));
  const std::size_t padded = (payload + 63) / 64 * 64;
  for (std::size_t i = 0; i * chunk < padded; ++i) {
    const std::string which = " of chunk " + std::to_string(i);
    const std::size_t begin = payload_at + i * chunk,
                      end = payload_at + std::min(padded, (i + 1) * chunk);
    image_bytes bytes = base.bytes;
    for (const std::size_t at : {begin, (begin + end) / 2, end - 1}) {
      bytes[at] ^= std::byte{1};
      out.add(base, bytes, "a damaged byte" + which, true);
      bytes[at] ^= std::byte{1};
    }
    // The table of checksums follows the padding: there are no sentinels.
    bytes[payload_at + padded + 4 * i] ^= std::byte{1};
    const auto tail = std::span(bytes).subspan(payload_at + padded);
    const auto sum = base::crc32c(tail.first(tail.size() - 4));
    bytes.resize(bytes.size() - 4);
    testing::put(bytes, sum);
    out.add(base, bytes, "the checksum" + which, true);
  }
}

void foreign_notes(collector& out, const base_file& base) {
  using namespace std::string_literals;
  for (const std::string& text :
       {"nori"s,
        "nori variant=current bits=1 hashes=7 seed=9 form=0 part=0"s,
        "nori "s,
        " nori"s,
        "nori variant=current "s,
        "nori  variant=current"s,
        "nori\tform=0"s,
        "nori\n"s,
        "Nori"s,
        "portable"s,
        "nori variant="s,
        "nori variant=none"s,
        "nori variant"s,
        "nori hashes"s,
        "nori hashes="s,
        "nori =7"s,
        "nori x=1"s,
        "nori part=0 variant=current"s,
        "nori hashes=7 bits=128"s,
        "nori part=0 part=0"s,
        "nori variant=current variant=current"s,
        "nori hashes=7"s,
        "nori hashes=007"s,
        "nori hashes=00000000000000000000000000000000000000000007"s,
        "nori hashes=0"s,
        "nori hashes=8"s,
        "nori hashes=4294967295"s,
        "nori hashes=4294967296"s,
        "nori hashes=4294967303"s,
        "nori hashes=-1"s,
        "nori hashes=+7"s,
        "nori hashes=7 "s,
        "nori hashes=0x7"s,
        "nori hashes=7.0"s,
        "nori bits=18446744073709551615"s,
        "nori bits=18446744073709551616"s,
        "nori seed=18446744073709551615"s,
        "nori seed=18446744073709551616"s,
        "nori seed=99999999999999999999999"s,
        "nori form=1"s,
        "nori form=2"s,
        "nori form=3"s,
        "nori form=256"s,
        "nori part=0"s,
        "nori part=1"s,
        "nori part=18446744073709551614"s,
        "nori part=18446744073709551615"s,
        "nori part=18446744073709551616"s,
        "nori variant=sstable"s,
        "nori variant=sstable form=2"s,
        "nori variant=quotient part=7"s,
        "nori variant=old-mod"s,
        "atomicbloom"s,
        "parquet"s,
        "parquet form=1"s,
        "parquet variant=bitset"s})
    out.add(base, with_text(base.bytes, text), "dialect: " + text, true);
}

}  // namespace bloomery::vectors
