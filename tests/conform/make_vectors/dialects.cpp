// spec/vectors/dialects.json and containers.json
#include <string>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/partitioned_bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>
#include <bloomery/xor_filter.hpp>

#include "fixtures.hpp"
#include "hex.hpp"
#include "make_vectors/hashed.hpp"
#include "make_vectors/make_vectors.hpp"
#include "must.hpp"
#include "put_into.hpp"
#include "ribbon_oracle.hpp"
#include "slot_filters.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"
#include "written_variants.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

// Keys of these lengths out of EDGE65: where the hashes of all dialects change their way.
std::vector<std::string> edges() {
  const auto all = testing::edge65();
  std::vector<std::string> out;
  for (const std::size_t length : {1, 3, 4, 8, 9, 16, 17, 31, 33, 64})
    out.push_back(all[length]);
  return out;
}

template <class Filter>
std::string answers(const Filter& f) {
  std::string out;
  for (const std::string& k : numbered("x", 64)) out += f.may_contain(k) ? '1' : '0';
  return out;
}

json dialect_case(const testing::written_variant& w, const char* which,
                  const std::vector<std::string>& keys) {
  const auto p = w.params(keys.size());
  const auto f = testing::filter_of(w.dialect(), p, keys);
  json row{{"dialect", w.dialect()},
           {"variant", w.variant},
           {"keys", which},
           {"n", p.keys},
           {"p", *p.fpr},
           {"bits", f.bits()},
           {"hashes", f.hashes()},
           {"seed", to_hex(f.seed())}};
  json& read = row["read"] = json::object();
  if (testing::has_word(w.facts.needs, "variant") || w.variant == "bitset")
    read["variant"] = w.variant;
  if (testing::has_word(w.facts.needs, "hashes")) read["hashes"] = f.hashes();
  if (testing::has_word(w.facts.needs, "seed") || w.variant == "tokenbf")
    read["seed"] = f.seed();
  row["image"] = to_hex(must(f.encode()).bytes());
  row["maybe"] = answers(f);
  return row;
}

json container_case(const char* kind, const pages& bytes) {
  return {{"kind", kind}, {"container", to_hex(bytes.bytes())}};
}

template <class Filter>
json filter_case(const char* kind, Filter f) {
  for (const std::string& k : numbered("k", 10))
    testing::put_into(f, std::string_view(k));
  json row = container_case(kind, must(encode_container(f)));
  row["maybe"] = answers(f);
  return row;
}

json packed_case() {
  const testing::temp_dir folder;
  const std::string path = folder / "set";
  auto out = must(packed_writer::create(path.c_str()));
  for (std::size_t i = 0; i < 3; ++i) {
    auto member = must(block_bloom::make(block_shape{i + 1, block_profile::half_line}));
    member.insert(std::string_view("k" + std::to_string(i)));
    must(out.add(member));
  }
  must(out.finish());
  return {{"kind", "packed"}, {"container", to_hex(testing::bytes_of(path))}};
}

}  // namespace

json dialects() {
  json out;
  out["_comment"] = {
      "Filters in other systems' bytes (spec/dialects.md): each form that is written, "
      "sized",
      "as its owner would for n keys at rate p.  keys: k10 are k0 .. k9; edges are "
      "below, in",
      "hex.  read: options that a reader of the image needs.  maybe: whether x0 .. x63 "
      "are",
      "perhaps present."};
  for (const std::string& k : edges()) out["edges"].push_back(to_hex(k));
  for (const auto& w : testing::written_variants()) {
    out["cases"].push_back(dialect_case(w, "k10", numbered("k", 10)));
    out["cases"].push_back(dialect_case(w, "edges", edges()));
  }
  return out;
}

json containers() {
  json out;
  out["_comment"] = {
      "Whole containers (spec/container.md).  Each filter has the keys k0 .. k9 under "
      "its",
      "default hash; the members of the packed set are block filters (half-line) of 1, 2 "
      "and",
      "3 blocks with one key each, k0, k1 and k2; foreign is the image of guava mitz64 "
      "with",
      "keys k10 in dialects.json.  maybe: whether x0 .. x63 are perhaps present."};
  json& cases = out["cases"];
  cases.push_back(filter_case("portable", must(portable_bloom::make({.keys = 10}))));
  for (const block_profile p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines}) {
    cases.push_back(filter_case("block", must(block_bloom::make(block_shape{2, p}))));
    cases.back()["profile"] = name_of(p);
  }
  cases.push_back(filter_case("split-block", must(split_block_bloom::make(3))));
  cases.push_back(filter_case("bloom", must(bloom::make(bloom_layout{96, 7}))));
  const auto guava =
      testing::filter_of("guava", testing::sized(10, 0.01, "mitz64"), numbered("k", 10));
  cases.push_back(container_case("foreign", must(encode_wrapped(guava))));
  cases.back()["maybe"] = answers(guava);
  cases.push_back(packed_case());
  cases.push_back(filter_case("partitioned",
                              must(partitioned_bloom::make(partitioned_layout{13, 7}))));
  for (const cuckoo_layout l : {cuckoo_layout{6, 12}, {10, 9}, {4, 31}})
    cases.push_back(
        filter_case("cuckoo", must(cuckoo::make(l, 10, hasher::xxh3(), 0x1234567890))));
  cases.push_back(filter_case(
      "block", must(block_bloom::make(block_shape{2, block_profile::lanes16}))));
  cases.back()["profile"] = name_of(block_profile::lanes16);
  for (const counting_shape s : {counting_shape{256, cell_layout::line, 4, 8},
                                 counting_shape{101, cell_layout::flat, 4, 7},
                                 counting_shape{128, cell_layout::line, 8, 8},
                                 counting_shape{40, cell_layout::flat, 32, 3}}) {
    cases.push_back(
        filter_case("counting", must(counting_bloom::make(s, 10, hasher::xxh3(), 77))));
    cases.back()["profile"] = name_of(s.layout);
  }
  const std::vector<key> ten = hashed("k", 10);
  const auto built = [&](const char* kind, const auto& f) {
    cases.push_back(container_case(kind, must(encode_container(f))));
    cases.back()["maybe"] = answers(f);
  };
  built("ribbon", must(ribbon::build(ten, ribbon::params{})));
  built("ribbon",
        testing::ribbon_of(ten, {3, 1u << 31}, 64, {.small_keys = 1, .max_buckets = 1}));
  built("ribbon",
        testing::ribbon_of(ten, {2, 0}, 128, {.small_keys = 1, .max_buckets = 1}));
  built("ribbon", testing::ribbon_of(ten, {8, 0}, 64, {.last_keys = 1}));
  built("fuse", must(fuse::build(ten, fuse::params{})));
  built("fuse", must(fuse::build(ten, slot_request{31}, hasher::xxh3())));
  built("fuse", testing::filter_of_shape<fuse>({32, 4, 12, slot_layout::three, 2}, ten));
  built("fuse", testing::filter_of_shape<fuse>({24, 1, 8, slot_layout::four, 2}, ten));
  built("fuse", testing::filter_of_shape<fuse>({8, 1, 16, slot_layout::dense, 0}, ten));
  built("xor", must(xor_filter::build(ten, xor_filter::params{})));
  built("xor",
        testing::filter_of_shape<xor_filter>({24, 2, 9, slot_layout::three, 0}, ten));
  for (const scalable_bloom::params& p :
       {scalable_bloom::params{.keys = 10},
        {.keys = 2, .fpr = 0.3},
        {.keys = 1, .fpr = 0.2, .max_growth = 20},
        {.keys = 3, .fpr = 0.05, .growth = 4, .dynamic = true}})
    cases.push_back(filter_case("scalable", must(scalable_bloom::make(p))));
  constexpr std::uint64_t once = std::uint64_t{1} << 32;
  // They forget none of the ten.
  for (const stable_shape s : {stable_shape{301, 1, 1, 3, once / 4},
                               stable_shape{96, 2, 3, 7, 2 * once + once / 2},
                               stable_shape{77, 4, 9, 5, 20 * once + 1}})
    cases.push_back(
        filter_case("stable", must(stable_bloom::make(s, 10, hasher::xxh3(), 0xabcdef))));
  for (const block_profile p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines}) {
    cases.push_back(filter_case("window", must(window_bloom::make({{2, p}, 3, 5}, 10))));
    cases.back()["profile"] = name_of(p);
  }
  for (const quotient_layout l : {quotient_layout{60, 7, 2}, {11, 2, 1}, {1000, 32, 16}})
    cases.push_back(
        filter_case("quotient", must(quotient::make(l, 10, hasher::xxh3(), 77))));
  return out;
}

}  // namespace bloomery::vectors
