// The files that container_hostile.json starts from: of every kind, small and of several
// chunks.
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
#include "fixtures.hpp"
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
}  // namespace

image_bytes with_notes(image_bytes file, std::string_view hex) {
  const image_bytes notes = testing::from_hex(hex);
  file.insert(file.end() - 4, notes.begin(), notes.end());
  const std::size_t was = std::to_integer<std::size_t>(file[96]);
  file[96] = static_cast<std::byte>(was + notes.size());
  testing::repair_container(file);
  return file;
}
std::vector<base_file> native_bases() {
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

}  // namespace bloomery::vectors
