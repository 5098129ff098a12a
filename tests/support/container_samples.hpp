// A small container of every kind, the places of its numbers, and checksums made right
// again after something was changed: damage that no checksum notices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <bloomery/container.hpp>
#include <bloomery/packed_set.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "dialect_samples.hpp"
#include "fixtures.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

struct container_sample {
  std::string name;
  std::vector<std::byte> bytes;
};

// spec/container.md, section 2.
inline const std::vector<header_field>& container_fields() {
  static const std::vector<header_field> all{
      {"version", 8, 2},      {"kind", 10, 1},          {"profile", 11, 1},
      {"flags", 12, 4},       {"hash", 16, 1},          {"chunk log", 17, 1},
      {"sentinels", 18, 1},   {"member", 19, 1},        {"hashes", 20, 4},
      {"units", 24, 8},       {"seed", 32, 8},          {"hash check", 40, 8},
      {"asked fpr", 48, 8},   {"capacity", 56, 8},      {"keys", 64, 8},
      {"payload at", 72, 8},  {"payload bytes", 80, 8}, {"ones", 88, 8},
      {"notes bytes", 96, 4}, {"reserved", 100, 8},
  };
  return all;
}

inline std::vector<std::byte> bytes_of(const pages& p) {
  return {p.bytes().begin(), p.bytes().end()};
}

inline std::vector<container_sample> container_samples(std::size_t n = 10) {
  const auto ks = keys(1, n);
  const write_notes notes{
      .asked_fpr = 0.01, .keys = n, .sentinels = std::span(ks).first(2)};
  std::vector<container_sample> all;
  const auto add = [&](const char* name, const auto& filter) {
    all.push_back({name, bytes_of(must(encode_container(filter, notes)))});
  };
  auto portable = must(portable_bloom::make({.keys = n}));
  portable.insert(std::span<const key>(ks));
  add("portable", portable);
  for (const auto& [name, profile] : {std::pair{"half line", block_profile::half_line},
                                      {"line", block_profile::line},
                                      {"two lines", block_profile::two_lines}}) {
    auto block = must(block_bloom::make(block_shape{n / 10 + 2, profile}));
    block.insert(std::span<const key>(ks));
    add(name, block);
  }
  add("split-block", must(split_block_bloom::build(ks)));
  add("bloom", must(bloom::build(ks)));
  const auto foreign = dialect_samples(n)[5];
  all.push_back({"foreign", bytes_of(must(encode_wrapped(must(foreign_filter::decode(
                                foreign.dialect, foreign.image, foreign.read)))))});
  const temp_dir folder;
  const std::string path = folder / "packed";
  auto out = must(packed_writer::create(path.c_str()));
  for (std::size_t i = 0; i < 3; ++i)
    must(out.add(must(block_bloom::build(keys(i, n), {.profile = block_profile::line}))));
  must(out.finish());
  all.push_back({"packed", bytes_of(std::filesystem::path(path))});
  return all;
}

// The length that the header promises, if it is below `most`; else the real one.
inline std::size_t promised_size(std::span<const std::byte> file, std::size_t most) {
  if (file.size() < container_header_size) return file.size();
  const auto number = [&](std::size_t at, unsigned width) {
    return field_value(file, {"", static_cast<std::ptrdiff_t>(at), width});
  };
  const std::uint64_t at = number(72, 8), payload = number(80, 8), notes = number(96, 4);
  if (at > most || payload > most || notes > most) return file.size();
  container_facts f;
  f.payload_at = at;
  f.payload_bytes = payload;
  f.notes_bytes = static_cast<std::uint32_t>(notes);
  f.sentinels = static_cast<unsigned>(number(18, 1));
  return f.file_bytes() <= most ? static_cast<std::size_t>(f.file_bytes()) : file.size();
}

// Checksums of the header, of every chunk and of the table, where the file has room for
// what the header says.
inline void repair_container(std::span<std::byte> file) {
  if (file.size() < container_header_size) return;
  const auto put = [&](std::size_t at, std::uint32_t v) {
    base::byte_writer(file.subspan(at)).write(v);
  };
  put(124, base::crc32c(file.first(124)));
  if (promised_size(file, file.size()) != file.size()) return;
  container_facts f;
  f.payload_at = field_value(file, {"", 72, 8});
  f.payload_bytes = field_value(file, {"", 80, 8});
  f.notes_bytes = static_cast<std::uint32_t>(field_value(file, {"", 96, 4}));
  f.sentinels = static_cast<unsigned>(field_value(file, {"", 18, 1}));
  if (f.payload_at < container_header_size || f.file_bytes() != file.size()) return;
  const auto table =
      static_cast<std::size_t>(f.tail_at() + 8 * std::uint64_t{f.sentinels});
  const auto payload = file.subspan(static_cast<std::size_t>(f.payload_at),
                                    static_cast<std::size_t>(f.padded_bytes()));
  for (std::size_t i = 0; i < f.chunks(); ++i)
    put(table + 4 * i,
        base::crc32c(payload.subspan(
            4096 * i, std::min<std::size_t>(4096, payload.size() - 4096 * i))));
  const auto tail = file.subspan(static_cast<std::size_t>(f.tail_at()));
  const auto gap = file.first(static_cast<std::size_t>(f.payload_at)).subspan(128);
  put(file.size() - 4, base::crc32c(tail.first(tail.size() - 4), base::crc32c(gap)));
}

}  // namespace bloomery::testing
