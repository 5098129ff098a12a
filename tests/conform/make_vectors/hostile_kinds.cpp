// Rows of container_hostile.json about the parameters and the payload of each kind.
#include <cstddef>
#include <string>

#include <bloomery/container.hpp>

#include "make_vectors/hostile_rows.hpp"
#include "must.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;

void change_counting(collector& out, const base_file& base) {
  if (base.name != "counting" && base.name != "flat counting") return;
  change(out, base, 100, 0, "identity");
  change(out, base, 107, 0xff, "identity");
  for (const std::uint8_t width : {std::uint8_t{0}, std::uint8_t{8}, std::uint8_t{16},
                                   std::uint8_t{32}, std::uint8_t{255}})
    change(out, base, 108, width, "width of cells");
  change(out, base, 109, 1, "reserved");
  change(out, base, 18, 1, "a sentinel, and no room for it");
  change(out, base, 11, 5, "layout line");
  change(out, base, 11, 0, "layout flat");
  change(out, base, 20, 9, "9 hashes");
  change(out, base, 20, 65, "65 hashes");
  change(out, base, 24, 98, "98 cells");
  change(out, base, 24, 100, "100 cells");
  change(out, base, 64, 1, "a count of keys");
  change(out, base, 128, 0xff, "cells beyond the sticky value");
  change(out, base, 128 + 49, 0xff,
         "the half byte after the last cell, which is ignored");
}

void change_ribbon(collector& out, const base_file& base) {
  if (!base.name.starts_with("ribbon")) return;
  const auto make = [&](std::size_t at, int value, const char* defect) {
    change(out, base, at, static_cast<std::uint8_t>(value), defect);
  };
  for (const int v : {0, 63, 64, 128, 255}) make(100, v, "width");
  for (const int v : {1, 255}) make(101, v, "seed");
  for (const int v : {0, 1, 2}) make(102, v, "kept");
  make(103, 1, "kept");
  for (const std::size_t at : {104, 108, 112}) {
    for (const int v : {0, 1, 2}) make(at, v, "buckets");
    make(at + 3, 1, "buckets");
  }
  make(116, 1, "narrow");
  make(119, 0xff, "narrow");
  for (const int v : {0, 1, 11, 64, 255}) make(120, v, "rest");
  make(121, 0x20, "rest");
  make(123, 1, "rest");
  for (const int v : {0, 1, 2, 3, 33}) make(20, v, "columns");
  for (const int v : {0, 1, 2}) make(24, v, "buckets of layer 0");
  make(25, 4, "1024 buckets and more");
  make(28, 1, "2^32 buckets");
  make(128, 0xff, "other bits");
}

void change_slots(collector& out, const base_file& base) {
  if (!base.name.ends_with("fuse") && !base.name.ends_with("xor") &&
      base.name != "fuse without slots")
    return;
  for (const unsigned v : {0u, 1u, 2u, 3u, 5u, 255u})
    change(out, base, 100, static_cast<std::uint8_t>(v), "shards");
  change(out, base, 103, 1, "shards");
  for (const unsigned v : {0u, 1u, 2u, 4u, 255u})
    change(out, base, 104, static_cast<std::uint8_t>(v), "residue");
  change(out, base, 109, 1, "residue: 2^40");
  change(out, base, 109, 2, "residue: 2^41");
  change(out, base, 111, 0x80, "residue");
  for (const unsigned v : {0u, 1u, 2u, 3u, 4u, 5u, 255u})
    change(out, base, 112, static_cast<std::uint8_t>(v), "layout");
  for (const unsigned v : {0u, 1u, 2u, 3u, 4u, 8u, 16u, 17u, 64u, 255u})
    change(out, base, 113, static_cast<std::uint8_t>(v), "length of segments");
  change(out, base, 114, 1, "reserved");
  for (const unsigned v : {0u, 1u, 7u, 32u, 33u, 64u})
    change(out, base, 20, static_cast<std::uint8_t>(v), "width");
  change(out, base, 24, 1, "1 slot, or others");
  change(out, base, 24, 12, "12 slots, or others");
  change(out, base, 30, 1, "2^48 slots");
  change(out, base, 128, 0xff, "another slot");
  change(out, base, static_cast<std::size_t>(base.bytes.size() - 200), 0xff,
         "another byte");
  if (!base.name.starts_with("large")) return;
  damage_chunks(out, base, {200, 4224, 5000, 8300, 9000, 12500, 12800, 15000}, true, 128);
}

void change_scalable(collector& out, const base_file& base) {
  if (!base.name.starts_with("scalable")) return;
  const auto set = [&](std::size_t at, int value, const char* defect) {
    change(out, base, at, static_cast<std::uint8_t>(value), defect);
  };
  for (const std::size_t at : {106, 107})
    for (const int v : {0, 0x3f, 0x7f, 0x80, 0xff}) set(at, v, "rate of the chain");
  for (const int v : {0, 1, 2, 3, 4, 8, 16, 32, 255}) set(108, v, "growth");
  for (const int v : {0, 1, 2, 3, 255}) set(109, v, "policy");
  for (const int v : {0, 1, 2, 3, 4, 48, 49, 255}) set(110, v, "limit of levels");
  for (const int v : {0, 1, 2, 3, 48, 49, 255}) set(111, v, "first level of line");
  for (const int v : {0, 1, 2, 3, 48, 49, 255}) set(112, v, "first level of two-lines");
  set(113, 1, "reserved");
  for (const int v : {0, 1, 2, 4, 48, 49}) set(20, v, "levels");
  for (const int v : {0, 2, 255}) set(24, v, "lines");
  set(29, 4, "2^42 lines and more");
  set(31, 0x80, "lines");
  set(11, 2, "profile");
  set(128, 0xff, "other bits");
}

void damage_large_scalable(collector& out, const base_file& base) {
  if (base.name == "large scalable")
    damage_chunks(out, base, {200, 400, 4224, 4400, 8320}, false);
}

void change_stable(collector& out, const base_file& base) {
  if (!base.name.starts_with("stable")) return;
  const auto set = [&](std::size_t at, int value, const char* defect) {
    change(out, base, at, static_cast<std::uint8_t>(value), defect);
  };
  for (const std::size_t at : {100, 107}) set(at, 0xff, "inserts");
  for (const std::size_t at : {108, 111}) set(at, 0xff, "seed");
  for (const std::size_t at : {112, 115}) set(at, 0xff, "fraction");
  for (const int v : {0, 1, 98, 99, 100, 101, 102, 255}) set(116, v, "whole part of P");
  set(119, 0xff, "whole part of P");
  for (const int v : {0, 1, 2, 3, 4, 8, 255}) set(120, v, "width of cells");
  for (const int v : {0, 1, 2, 3, 4, 15, 255}) set(121, v, "maximum");
  for (const std::size_t at : {122, 123}) set(at, 1, "reserved");
  set(11, 1, "a profile");
  set(18, 1, "a sentinel, and no room for it");
  set(64, 1, "a count of keys");
  for (const int v : {0, 1, 64, 65}) set(20, v, "hashes");
  for (const int v : {0, 98, 100, 102}) set(24, v, "cells");
  set(29, 0x40, "2^46 cells and more");
  set(128, 0xff, "other cells");
  set(128 + (base.name == "stable" ? 24 : 12), 0xff,
      "bits after the last cell, which are ignored");
}

void change_window(collector& out, const base_file& base) {
  if (!base.name.starts_with("window")) return;
  const auto set = [&](std::size_t at, int value, const char* defect) {
    change(out, base, at, static_cast<std::uint8_t>(value), defect);
  };
  for (const int v : {0, 1, 2, 3, 4, 6, 255}) set(100, v, "generations");
  set(101, 4, "1024 generations and more");
  set(103, 1, "generations");
  for (const int v : {0, 1, 2, 3, 255}) set(104, v, "current");
  set(107, 1, "current");
  for (const int v : {0, 1, 2, 255}) set(108, v, "keys of a generation");
  for (const std::size_t at : {116, 123})
    for (const int v : {0, 1, 4, 5, 255}) set(at, v, "keys in the current one");
  for (const int v : {0, 1, 2, 3, 4, 5, 6}) set(11, v, "profile");
  for (const int v : {4, 8, 16}) set(20, v, "hashes");
  for (const int v : {0, 1, 2, 4, 5, 6, 7}) set(24, v, "blocks");
  set(29, 0x80, "2^47 blocks");
  set(18, 1, "a sentinel, and no room for it");
  set(64, 1, "a count of keys");
  set(128, 0xff, "other bits");
}

void change_quotient(collector& out, const base_file& base) {
  if (base.name != "quotient" && base.name != "quotient with counts") return;
  change(out, base, 100, 0, "identity");
  change(out, base, 108, 1, "one block");
  change(out, base, 108, 3, "three blocks");
  change(out, base, 115, 0x80, "2^63 blocks");
  change(out, base, 116, 1, "reserved");
  change(out, base, 18, 1, "a sentinel, and no room for it");
  change(out, base, 64, 1, "a count of keys");
  change(out, base, 20, 1, "remainders of 1 bit");
  change(out, base, 20, 33, "remainders of 33 bits");
  change(out, base, 20, 6, "shorter remainders");
  change(out, base, 24, 0, "no quotients");
  change(out, base, 24, 10, "fewer quotients");
  change(out, base, 24, 129, "more quotients than slots");
  change(out, base, 31, 0x40, "2^62 quotients");
  // Runs that contradict each other, under right checksums.
  const auto facts = must(inspect(base.bytes, base.bytes.size()));
  for (std::uint64_t i = 0; i < facts.payload_bytes; ++i) {
    const auto at = static_cast<std::size_t>(facts.payload_at + i);
    const std::byte flipped = base.bytes[at] ^ std::byte{1} << (i % 8);
    change(out, base, at, std::to_integer<std::uint8_t>(flipped), "another bit");
  }
}

void damage_large_quotient(collector& out, const base_file& base) {
  if (!base.name.starts_with("large quotient filter")) return;
  damage_chunks(out, base, {200, 4224, 5000, 8319, 8320, 9000, 12500, 12640}, true);
  change(out, base, 4300, 0x55, "another byte");
}

// The directory of a packed set of static filters, 48 bytes for each of two members.
void change_packed_static(collector& out, const base_file& base) {
  if (base.name != "packed ribbon" && base.name != "packed fuse") return;
  const auto facts = must(inspect(base.bytes, base.bytes.size()));
  const auto first =
      static_cast<std::size_t>(facts.payload_at + facts.payload_bytes - 2 * 48);
  for (const std::size_t at : {0, 7, 8, 12, 15, 16, 18, 20, 23})
    for (const unsigned v : {0u, 1u, 8u, 255u})
      change(out, base, first + at, static_cast<std::uint8_t>(v), "entry of a member");
  for (std::size_t at = 24; at < 48; ++at)
    change(out, base, first + at, 2, "parameters of a member");
  change(out, base, first + 48, 0, "the last member ends early");
  change(out, base, first + 48, 255, "the last member ends late");
  change(out, base, 19, 1, "members of a kind that is not built");
  change(out, base, 19, 130, "members that are sets");
  image_bytes bytes = base.bytes;
  bytes[static_cast<std::size_t>(facts.payload_at)] ^= std::byte{1};
  out.add(base, bytes, "a damaged chunk");
}

void damage_many_chunks(collector& out, const base_file& base) {
  const bool has_many_chunks =
      base.name.starts_with("large") &&
      (base.name.ends_with("counting") || base.name.starts_with("large ribbon") ||
       base.name == "large stable" || base.name == "large window");
  if (has_many_chunks)
    damage_chunks(out, base, {200, 4096, 5000, 8192, 9000, 12500}, true);
}

}  // namespace

void change_kinds(collector& out, const std::vector<base_file>& all) {
  for (const auto change_kind :
       {change_counting, change_ribbon, change_slots, change_scalable,
        damage_large_scalable, change_stable, change_window, change_quotient,
        damage_large_quotient, change_packed_static, damage_many_chunks})
    for (const base_file& base : all) change_kind(out, base);
}

}  // namespace bloomery::vectors
