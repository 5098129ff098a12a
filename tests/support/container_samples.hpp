// A small container of every kind, and the places of its numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/packed_set.hpp>

#include "dialect_samples.hpp"
#include "filter_types.hpp"
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
    write_notes some = notes;
    if (!filter.kind.keeps_sentinels) some = {.asked_fpr = notes.asked_fpr};
    all.push_back({name, bytes_of(must(encode_container(filter, some)))});
  };
  for (const kind_info& k : kinds()) {
    const auto f = must(k.build(ks, n, {}, k.facts.hasher(), 1));
    f.visit([&](const auto& own) { add(k.facts.name, own); });
  }
  for (const auto& [name, profile] : {std::pair{"half line", block_profile::half_line},
                                      {"line", block_profile::line},
                                      {"two lines", block_profile::two_lines}}) {
    auto block = must(block_bloom::make(block_shape{n / 10 + 2, profile}));
    block.insert(std::span<const key>(ks));
    add(name, block);
  }
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
  for_each_type(static_types{}, [&]<class F>(std::type_identity<F>) {
    auto set = must(packed_writer::create(path));
    for (std::size_t i = 0; i < 3; ++i) must(set.add(must(F::build(keys(i, n + i)))));
    must(set.finish());
    all.push_back(
        {std::string("packed ") + F::kind.name, bytes_of(std::filesystem::path(path))});
  });
  return all;
}

}  // namespace bloomery::testing
