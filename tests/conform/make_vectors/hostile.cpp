// spec/vectors/container_hostile.json: every field made a lie that all checksums confirm,
// two at a time to fix the order of refusals, and damage that the checksums notice.
#include <set>
#include <string>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/partitioned_bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>
#include <bloomery/xor_filter.hpp>

#include "container_repair.hpp"
#include "container_samples.hpp"
#include "make_vectors/hashed.hpp"
#include "make_vectors/hostile_rows.hpp"
#include "put_into.hpp"
#include "quotient_files.hpp"
#include "quotient_oracle.hpp"
#include "ribbon_oracle.hpp"
#include "slot_filters.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;

image_bytes copy_of(const pages& p) { return {p.bytes().begin(), p.bytes().end()}; }

template <class Filter>
image_bytes ten_keys(Filter f, bool sentinels) {
  std::set<std::uint64_t> hashes;
  for (const std::string& k : numbered("k", 10)) {
    testing::put_into(f, std::string_view(k));
    hashes.insert(f.hash(std::string_view(k)).bits());
  }
  std::vector<key> smallest;
  for (const std::uint64_t h : hashes)
    if (smallest.size() < 8) smallest.push_back(key::from_bits(h));
  write_notes notes{.asked_fpr = 0.01};
  if (Filter::kind.keeps_sentinels) notes.keys = 10;
  if (sentinels) notes.sentinels = smallest;
  return copy_of(must(encode_container(f, notes)));
}

// A ribbon of the ten keys, and of so many more.
image_bytes solved(std::size_t more, ribbon_columns columns, unsigned width,
                   ribbon_limits limits) {
  std::vector<key> ks = hashed("k", 10);
  const auto others = hashed("more", more);
  ks.insert(ks.end(), others.begin(), others.end());
  std::ranges::sort(ks, {}, &key::bits);
  const ribbon f = testing::ribbon_of(ks, columns, width, limits);
  const write_notes notes{
      .asked_fpr = 0.01, .keys = ks.size(), .sentinels = std::span(ks).first(8)};
  return copy_of(must(encode_container(f, notes)));
}

// A filter of the ten keys, and of those in its residue.
template <class F>
image_bytes built(const slot_shape& shape, std::size_t residue = 0) {
  std::vector<key> ten = hashed("k", 10), more = hashed("r", residue);
  std::ranges::sort(ten, {}, &key::bits);
  std::ranges::sort(more, {}, &key::bits);
  const F f = testing::with_residue(testing::filter_of_shape<F>(shape, ten), more);
  write_notes notes{.asked_fpr = 0.01, .keys = 10 + residue};
  notes.sentinels = std::span(ten).first(8);
  return copy_of(must(encode_container(f, notes)));
}

// A quotient filter of the ten keys, each so many times, and of so many more.
image_bytes in_runs(const quotient_layout& l, unsigned copies, std::size_t more) {
  auto f = must(quotient::make(l, 10, hasher::xxh3(), 3));
  for (const key k : hashed("k", 10))
    for (unsigned n = 0; n < copies; ++n) must(f.try_insert(k));
  for (const key k : hashed("more", more)) must(f.try_insert(k));
  return copy_of(must(encode_container(f, {.asked_fpr = 0.01})));
}

// Three quarters of all fingerprints: one cluster, with offsets of 255.
image_bytes in_one_cluster(const quotient_layout& l) {
  testing::multiset all;
  for (std::uint64_t f = 0; f < l.fingerprints(); ++f)
    if (f % 4 != 3) all[f] = 1;
  return testing::quotient_container(l, *testing::quotient_bytes(l, all));
}

image_bytes wrapped_nori() {
  foreign_params p;
  p.keys = 10;
  auto f = must(foreign_filter::make("nori", p));
  for (const std::string& k : numbered("k", 10)) must(f.insert(k));
  return copy_of(must(encode_wrapped(f)));
}

image_bytes wrapped(std::string_view dialect, std::uint64_t bits, std::uint32_t hashes) {
  foreign_params p;
  p.bits = bits;
  p.hashes = hashes;
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : numbered("k", 10)) must(f.insert(k));
  return copy_of(must(encode_wrapped(f)));
}

image_bytes packed(std::initializer_list<std::uint64_t> blocks, hasher h) {
  const testing::temp_dir folder;
  const std::string path = folder / "set";
  auto out = must(packed_writer::create(path.c_str()));
  for (const std::uint64_t n : blocks) {
    auto member = must(block_bloom::make(block_shape{n, block_profile::half_line}, 0, h));
    for (const std::string& k : numbered("k", 10)) member.insert(std::string_view(k));
    must(out.add(member));
  }
  must(out.finish());
  return testing::bytes_of(path);
}

// A set of two members: of the ten keys, and of none.
template <class F>
image_bytes packed_built() {
  const testing::temp_dir folder;
  const std::string path = folder / "set";
  auto out = must(packed_writer::create(path.c_str()));
  for (const std::size_t n : {10, 0}) must(out.add(must(F::build(hashed("k", n)))));
  must(out.finish());
  return testing::bytes_of(path);
}

// `notes` before the last checksum, which is made right again, as are all others.
image_bytes with_notes(image_bytes file, std::string_view hex) {
  const image_bytes notes = testing::from_hex(hex);
  file.insert(file.end() - 4, notes.begin(), notes.end());
  const std::size_t was = std::to_integer<std::size_t>(file[96]);
  file[96] = static_cast<std::byte>(was + notes.size());
  testing::repair_container(file);
  return file;
}

std::vector<base_file> bases() {
  std::vector<base_file> out;
  out.push_back({"portable", ten_keys(must(portable_bloom::make({.keys = 10})), true)});
  out.push_back(
      {"block",
       ten_keys(must(block_bloom::make(block_shape{2, block_profile::line}, 10)), true)});
  out.push_back({"split-block", ten_keys(must(split_block_bloom::make(3)), false)});
  out.push_back({"bloom", ten_keys(must(bloom::make(bloom_layout{99, 7})), true)});
  out.push_back({"foreign", wrapped_nori()});
  out.push_back({"packed", packed({1, 2}, hasher::xxh3())});
  // A note that may be skipped.
  out.push_back({"notes", with_notes(out[1].bytes, "07000000030000006e6f74")});
  // Files of several chunks.
  out.push_back(
      {"large block",
       ten_keys(must(block_bloom::make(block_shape{100, block_profile::line})), true)});
  out.push_back({"large foreign", wrapped("nori", 65536, 4)});
  out.push_back({"large packed", packed({150, 1}, hasher::xxh3(7))});
  out.push_back({"set of one", packed({2}, hasher::xxh3())});
  out.push_back(
      {"partitioned",
       ten_keys(must(partitioned_bloom::make(partitioned_layout{13, 7})), true)});
  out.push_back(
      {"large partitioned",
       ten_keys(must(partitioned_bloom::make(partitioned_layout{7001, 7})), true)});
  out.push_back({"cuckoo", ten_keys(must(cuckoo::make(cuckoo_layout{6, 13}, 10,
                                                      hasher::xxh3(), 77)),
                                    false)});
  out.push_back(
      {"large cuckoo", ten_keys(must(cuckoo::make(cuckoo_layout{1500, 13})), false)});
  const auto counting = [](counting_shape s) {
    return ten_keys(must(counting_bloom::make(s, 0, hasher::xxh3(), 3)), false);
  };
  out.push_back({"counting", counting({256, cell_layout::line, 4, 8})});
  out.push_back({"flat counting", counting({99, cell_layout::flat, 4, 7})});
  out.push_back({"large counting", counting({12800, cell_layout::line, 4, 8})});
  out.push_back({"large flat counting", counting({3001, cell_layout::flat, 32, 5})});
  out.push_back({"ribbon", solved(0, {13, 1u << 30}, 64, {})});
  out.push_back({"ribbon in layers", solved(140, {3, 1u << 31}, 64, {.small_keys = 1})});
  out.push_back({"ribbon of hashes", solved(0, {1, 0}, 128, {.last_keys = 1})});
  out.push_back({"large ribbon", solved(9000, {8, 1u << 30}, 64, {})});
  out.push_back(
      {"large ribbon of hashes",
       solved(1500, {5, 0}, 128, {.small_keys = 1, .last_keys = 1, .max_buckets = 1})});
  constexpr auto dense = slot_layout::dense, three = slot_layout::three,
                 four = slot_layout::four;
  out.push_back({"fuse", built<fuse>({13, 1, 13, dense, 0}, 3)});
  out.push_back({"3-wise fuse", built<fuse>({32, 4, 12, three, 2})});
  out.push_back({"4-wise fuse", built<fuse>({24, 2, 8, four, 2}, 2)});
  out.push_back({"fuse without slots", built<fuse>({0, 1, 8, dense, 0}, 2)});
  out.push_back({"xor", built<xor_filter>({24, 2, 9, three, 0})});
  out.push_back({"large fuse", built<fuse>({3072, 3, 11, three, 8}, 8)});
  out.push_back({"large xor", built<xor_filter>({3000, 1, 32, three, 0}, 600)});
  out.push_back({"packed ribbon", packed_built<ribbon>()});
  out.push_back({"packed fuse", packed_built<fuse>()});
  const auto scalable = [](std::uint64_t lines, double fpr, const growth_plan& plan,
                           std::size_t more = 0) {
    auto f = must(scalable_bloom::make(must(scalable_of_lines(lines, fpr, plan)), 10));
    f.insert(std::span<const key>(hashed("more", more)));
    return ten_keys(std::move(f), true);
  };
  out.push_back({"scalable", scalable(1, 1e-6, {.max_growth = 7})});
  out.push_back({"scalable in levels", scalable(1, 1e-15, {.max_growth = 7})});
  out.push_back({"large scalable", scalable(5, 1e-4, {.growth = 4}, 700)});
  const auto stable = [](stable_shape s) {
    return ten_keys(must(stable_bloom::make(s, 10, hasher::xxh3(), 3)), false);
  };
  constexpr std::uint64_t once = std::uint64_t{1} << 32;
  out.push_back({"stable", stable({99, 2, 3, 5, 9 * once + once / 2})});
  out.push_back({"stable of bits", stable({101, 1, 1, 3, 2 * once})});
  out.push_back({"large stable", stable({25001, 4, 15, 6, 141 * once})});
  const auto window = [](window_shape s) {
    return ten_keys(must(window_bloom::make(s, 10)), false);
  };
  out.push_back({"window", window({{2, block_profile::line}, 3, 4})});
  out.push_back({"window by call", window({{1, block_profile::half_line}, 2, 0})});
  out.push_back({"large window", window({{60, block_profile::two_lines}, 3, 6})});
  out.push_back({"quotient", in_runs({60, 7, 2}, 1, 0)});
  out.push_back({"quotient with counts", in_runs({20, 3, 2}, 7, 0)});
  out.push_back({"large quotient filter", in_runs({6000, 13, 104}, 1, 5500)});
  out.push_back({"large quotient filter in one cluster", in_one_cluster({500, 5, 190})});
  return out;
}

void put(image_bytes& to, const testing::header_field& f, std::uint64_t v) {
  for (unsigned i = 0; i < f.bytes; ++i)
    to[static_cast<std::size_t>(f.at) + i] = static_cast<std::byte>(v >> (8 * i) & 0xff);
}

// One field after the other, checksums made right; then the first lie about each of two.
void fields(collector& out, const base_file& base, bool pairs) {
  std::vector<std::pair<testing::header_field, std::uint64_t>> lies;
  for (const testing::header_field& f : testing::container_fields()) {
    bool found = false;
    for (const std::uint64_t v :
         testing::hostile_values(testing::field_value(base.bytes, f), f.bytes)) {
      image_bytes bytes = base.bytes;
      put(bytes, f, v);
      testing::repair_container(bytes);
      out.add(base, bytes, f.name);
      if (!found && outcome_of(bytes, "native").contains("error"))
        lies.emplace_back(f, v), found = true;
    }
  }
  if (!pairs) return;
  for (std::size_t i = 0; i < lies.size(); ++i)
    for (std::size_t j = i + 1; j < lies.size(); ++j) {
      image_bytes bytes = base.bytes;
      put(bytes, lies[i].first, lies[i].second);
      put(bytes, lies[j].first, lies[j].second);
      testing::repair_container(bytes);
      out.add(base, bytes, std::string(lies[i].first.name) + ", " + lies[j].first.name);
    }
}

void lengths(collector& out, const base_file& base) {
  const std::size_t all = base.bytes.size();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{127},
        std::size_t{128}, all / 2 + 64, all - 5, all - 1, all + 1, all + 64}) {
    image_bytes bytes = base.bytes;
    bytes.resize(size);
    out.add(base, bytes, "length", true);
  }
}

void flips(collector& out, const base_file& base) {
  for (std::size_t bit = 5; bit < 8 * base.bytes.size(); bit += 397) {
    image_bytes bytes = base.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    out.add(base, bytes, "a flipped bit");
  }
}

// Bytes that must be zero, a payload that is not the keys', notes that are none.
void insides(collector& out, const std::vector<base_file>& all) {
  const auto changed = [&](const base_file& base, std::size_t at, std::uint8_t value,
                           const char* defect) {
    image_bytes bytes = base.bytes;
    bytes[at] = std::byte{value};
    testing::repair_container(bytes);
    out.add(base, bytes, defect, true);
  };
  const base_file &portable = all[0], &block = all[1], &bloom = all[3], &foreign = all[4],
                  &set = all[5];
  changed(block, 100, 1, "reserved");
  changed(block, 123, 1, "reserved");
  changed(portable, 128 + 12, 1, "padding");
  changed(portable, 128 + 63, 0x80, "padding");
  changed(bloom, 128 + 12, 0xff, "bits beyond the last, which are ignored");
  changed(set, 200, 1, "gap");
  changed(set, 4095, 1, "gap");
  changed(foreign, 128, 0, "k of nori: 0");
  changed(foreign, 132, 0, "m of nori: 0, and too many bytes");
  image_bytes emptied = block.bytes;
  std::fill(emptied.begin() + 128, emptied.begin() + 128 + 128, std::byte{0});
  testing::repair_container(emptied);
  out.add(block, emptied, "no bits: sentinels are not found");
  for (const char* notes :
       {"0700", "070000000400000061", "07000100020000006162", "07000000ffffffff6162",
        "07000000000000000700000000000000", "01800000020000006162",
        "ff800000020000006162", "0700000002000000616208"})
    out.add(block, with_notes(block.bytes, notes), std::string("notes: ") + notes);
  for (const char* notes : {"0700000002000000616c", "018000000100000061"})
    out.add(foreign, with_notes(foreign.bytes, notes), std::string("notes: ") + notes);
  image_bytes flagged = block.bytes;
  flagged[15] = flagged[110] = std::byte{0x40};
  testing::repair_container(flagged);
  out.add(block, flagged, "a flag that may be ignored, which uses reserved bytes");
  changed(block, 16, 5, "hash 5");
  image_bytes certain = block.bytes;
  put(certain, {"asked fpr", 48, 8}, 0x3ff0000000000000);
  testing::repair_container(certain);
  out.add(block, certain, "asked fpr 1");
  out.add(block, with_notes(block.bytes, "0700000000000000"), "notes: one, and empty");
  // The directory of the packed set: members that contradict each other answer perhaps.
  const std::size_t directory = 4096 + 3 * 32;
  changed(set, directory + 8, 9, "directory");
  changed(set, directory, 2, "directory");
  changed(set, directory, 1, "directory: the first member does not begin at 0");
  const base_file &large_block = all[7], &one = all[10];
  changed(one, 4096 + 2 * 32, 1, "directory: begins late");
  changed(one, 4096 + 2 * 32 + 8, 1, "directory: ends early");
  changed(one, 4096 + 2 * 32 + 8, 3, "directory: ends late");
  changed(one, 4096 + 2 * 32 + 16, 1, "padding");
  image_bytes forgotten = large_block.bytes;
  std::fill(forgotten.begin() + 128, forgotten.begin() + 128 + 4096, std::byte{0});
  testing::repair_container(forgotten);
  out.add(large_block, forgotten, "a chunk without its bits");
  forgotten[128 + 5000] ^= std::byte{1};
  out.add(large_block, forgotten, "a chunk without its bits, another that is damaged");
  image_bytes refused = one.bytes;
  refused[40] ^= std::byte{1};
  refused[4096 + 2 * 32 + 16] = std::byte{1};
  testing::repair_container(refused);
  out.add(one, refused, "hash check, padding");
  const base_file &tags = all[13], &large_cuckoo = all[14];
  changed(tags, 100, 78, "another identity");
  changed(tags, 108, 1, "reserved");
  changed(tags, 18, 1, "a sentinel");
  changed(tags, 64, 1, "a count of keys");
  changed(tags, 20, 5, "tags of 5 bits");
  changed(tags, 20, 33, "tags of 33 bits");
  changed(tags, 24, 5, "an odd number of buckets");
  for (const std::size_t at : {128, 4000, 4300, 8300, 9000}) {
    image_bytes bytes = large_cuckoo.bytes;
    bytes[at] ^= std::byte{1};
    out.add(large_cuckoo, bytes, "a damaged chunk, of byte " + std::to_string(at));
  }
  for (const base_file& base : all) {
    if (base.name != "counting" && base.name != "flat counting") continue;
    changed(base, 100, 0, "identity");
    changed(base, 107, 0xff, "identity");
    for (const std::uint8_t width : {std::uint8_t{0}, std::uint8_t{8}, std::uint8_t{16},
                                     std::uint8_t{32}, std::uint8_t{255}})
      changed(base, 108, width, "width of cells");
    changed(base, 109, 1, "reserved");
    changed(base, 18, 1, "a sentinel, and no room for it");
    changed(base, 11, 5, "layout line");
    changed(base, 11, 0, "layout flat");
    changed(base, 20, 9, "9 hashes");
    changed(base, 20, 65, "65 hashes");
    changed(base, 24, 98, "98 cells");
    changed(base, 24, 100, "100 cells");
    changed(base, 64, 1, "a count of keys");
    changed(base, 128, 0xff, "cells beyond the sticky value");
    changed(base, 128 + 49, 0xff, "the half byte after the last cell, which is ignored");
  }
  for (const base_file& base : all) {
    if (!base.name.starts_with("ribbon")) continue;
    const auto make = [&](std::size_t at, int value, const char* defect) {
      changed(base, at, static_cast<std::uint8_t>(value), defect);
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
  for (const base_file& base : all) {
    if (!base.name.ends_with("fuse") && !base.name.ends_with("xor") &&
        base.name != "fuse without slots")
      continue;
    for (const unsigned v : {0u, 1u, 2u, 3u, 5u, 255u})
      changed(base, 100, static_cast<std::uint8_t>(v), "shards");
    changed(base, 103, 1, "shards");
    for (const unsigned v : {0u, 1u, 2u, 4u, 255u})
      changed(base, 104, static_cast<std::uint8_t>(v), "residue");
    changed(base, 109, 1, "residue: 2^40");
    changed(base, 109, 2, "residue: 2^41");
    changed(base, 111, 0x80, "residue");
    for (const unsigned v : {0u, 1u, 2u, 3u, 4u, 5u, 255u})
      changed(base, 112, static_cast<std::uint8_t>(v), "layout");
    for (const unsigned v : {0u, 1u, 2u, 3u, 4u, 8u, 16u, 17u, 64u, 255u})
      changed(base, 113, static_cast<std::uint8_t>(v), "length of segments");
    changed(base, 114, 1, "reserved");
    for (const unsigned v : {0u, 1u, 7u, 32u, 33u, 64u})
      changed(base, 20, static_cast<std::uint8_t>(v), "width");
    changed(base, 24, 1, "1 slot, or others");
    changed(base, 24, 12, "12 slots, or others");
    changed(base, 30, 1, "2^48 slots");
    changed(base, 128, 0xff, "another slot");
    changed(base, static_cast<std::size_t>(base.bytes.size() - 200), 0xff,
            "another byte");
    if (!base.name.starts_with("large")) continue;
    for (const std::size_t at : {200, 4224, 5000, 8300, 9000, 12500, 12800, 15000}) {
      if (at >= base.bytes.size() - 128) continue;
      image_bytes bytes = base.bytes;
      bytes[at] ^= std::byte{1};
      out.add(base, bytes, "a damaged chunk, of byte " + std::to_string(at));
      bytes[200] ^= std::byte{0x10};
      out.add(base, bytes, "two damaged chunks, of bytes 200 and " + std::to_string(at));
    }
  }
  for (const base_file& base : all) {
    if (!base.name.starts_with("scalable")) continue;
    const auto set = [&](std::size_t at, int value, const char* defect) {
      changed(base, at, static_cast<std::uint8_t>(value), defect);
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
  for (const base_file& base : all)
    if (base.name == "large scalable")
      for (const std::size_t at : {200, 400, 4224, 4400, 8320}) {
        if (at >= base.bytes.size() - 64) continue;
        image_bytes bytes = base.bytes;
        bytes[at] ^= std::byte{1};
        out.add(base, bytes, "a damaged chunk, of byte " + std::to_string(at));
      }
  for (const base_file& base : all) {
    if (!base.name.starts_with("stable")) continue;
    const auto set = [&](std::size_t at, int value, const char* defect) {
      changed(base, at, static_cast<std::uint8_t>(value), defect);
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
  for (const base_file& base : all) {
    if (!base.name.starts_with("window")) continue;
    const auto set = [&](std::size_t at, int value, const char* defect) {
      changed(base, at, static_cast<std::uint8_t>(value), defect);
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
  for (const base_file& base : all) {
    if (base.name != "quotient" && base.name != "quotient with counts") continue;
    changed(base, 100, 0, "identity");
    changed(base, 108, 1, "one block");
    changed(base, 108, 3, "three blocks");
    changed(base, 115, 0x80, "2^63 blocks");
    changed(base, 116, 1, "reserved");
    changed(base, 18, 1, "a sentinel, and no room for it");
    changed(base, 64, 1, "a count of keys");
    changed(base, 20, 1, "remainders of 1 bit");
    changed(base, 20, 33, "remainders of 33 bits");
    changed(base, 20, 6, "shorter remainders");
    changed(base, 24, 0, "no quotients");
    changed(base, 24, 10, "fewer quotients");
    changed(base, 24, 129, "more quotients than slots");
    changed(base, 31, 0x40, "2^62 quotients");
    // Runs that contradict each other, under right checksums.
    const auto facts = must(inspect(base.bytes, base.bytes.size()));
    for (std::uint64_t i = 0; i < facts.payload_bytes; ++i) {
      const auto at = static_cast<std::size_t>(facts.payload_at + i);
      const std::byte flipped = base.bytes[at] ^ std::byte{1} << (i % 8);
      changed(base, at, std::to_integer<std::uint8_t>(flipped), "another bit");
    }
  }
  for (const base_file& base : all) {
    if (!base.name.starts_with("large quotient filter")) continue;
    for (const std::size_t at : {200, 4224, 5000, 8319, 8320, 9000, 12500, 12640}) {
      if (at >= base.bytes.size() - 64) continue;
      image_bytes bytes = base.bytes;
      bytes[at] ^= std::byte{1};
      out.add(base, bytes, "a damaged chunk, of byte " + std::to_string(at));
      bytes[200] ^= std::byte{0x10};
      out.add(base, bytes, "two damaged chunks, of bytes 200 and " + std::to_string(at));
    }
    changed(base, 4300, 0x55, "another byte");
  }
  // The directory of a packed set of static filters, 48 bytes for each of two members.
  for (const base_file& base : all) {
    if (base.name != "packed ribbon" && base.name != "packed fuse") continue;
    const auto facts = must(inspect(base.bytes, base.bytes.size()));
    const auto first =
        static_cast<std::size_t>(facts.payload_at + facts.payload_bytes - 2 * 48);
    for (const std::size_t at : {0, 7, 8, 12, 15, 16, 18, 20, 23})
      for (const unsigned v : {0u, 1u, 8u, 255u})
        changed(base, first + at, static_cast<std::uint8_t>(v), "entry of a member");
    for (std::size_t at = 24; at < 48; ++at)
      changed(base, first + at, 2, "parameters of a member");
    changed(base, first + 48, 0, "the last member ends early");
    changed(base, first + 48, 255, "the last member ends late");
    changed(base, 19, 1, "members of a kind that is not built");
    changed(base, 19, 130, "members that are sets");
    image_bytes bytes = base.bytes;
    bytes[static_cast<std::size_t>(facts.payload_at)] ^= std::byte{1};
    out.add(base, bytes, "a damaged chunk");
  }
  const auto is_many_chunks = [](const base_file& b) {
    return b.name.starts_with("large") &&
           (b.name.ends_with("counting") || b.name.starts_with("large ribbon") ||
            b.name == "large stable" || b.name == "large window");
  };
  for (const base_file& base : all)
    if (is_many_chunks(base))
      for (const std::size_t at : {200, 4096, 5000, 8192, 9000, 12500}) {
        if (at >= base.bytes.size() - 64) continue;
        image_bytes bytes = base.bytes;
        bytes[at] ^= std::byte{1};
        out.add(base, bytes, "a damaged chunk, of byte " + std::to_string(at));
        bytes[200] ^= std::byte{0x10};
        out.add(base, bytes,
                "two damaged chunks, of bytes 200 and " + std::to_string(at));
      }
  for (const base_file& large : {large_block, all[8], all[9]})
    for (const std::size_t at : {4096, 5000, 8192, 9000}) {
      if (at >= large.bytes.size() - 64) continue;
      image_bytes bytes = large.bytes;
      bytes[at] ^= std::byte{1};
      out.add(large, bytes, "a damaged chunk, of byte " + std::to_string(at));
    }
}

}  // namespace

json container_hostile() {
  json out;
  out["_comment"] = {
      "Containers (spec/container.md) that lie.  Each row: take the base, make it "
      "`length` "
      "long (cut,",
      "or zeros added), then overwrite bytes: edits are [offset, hex].  It must be "
      "refused "
      "with this",
      "error and offset (section 8), or be accepted with this result and these answers "
      "for "
      "k0 .. k9",
      "and x0 .. x15; of a packed set, by its member 0.  accepted: what `decode` of "
      "conformance.md prints."};
  const auto all = bases();
  for (const base_file& b : all) out["bases"][b.name] = testing::to_hex(b.bytes);
  json& rows = out["cases"];
  collector to(rows);
  for (const base_file& b : all) {
    to.add(b, b.bytes, "none");
    if (b.name.starts_with("large")) continue;
    lengths(to, b);
    flips(to, b);
    fields(to, b, b.name == "block" || b.name == "foreign");
  }
  insides(to, all);
  for (const base_file& b : foreign_bases()) {
    out["bases"][b.name] = testing::to_hex(b.bytes);
    foreign_damage(to, b);
  }
  foreign_notes(to, all[4]);
  return out;
}

}  // namespace bloomery::vectors
