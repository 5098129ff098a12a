// spec/vectors/portable_model.json
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include <bloomery/model.hpp>
#include <bloomery/portable_bloom.hpp>

#include "make_vectors/make_vectors.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;

// As many digits as do not depend on whose exp and log were used.
double nine_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8e", x);
  return std::strtod(text, nullptr);
}

json expected_row(std::uint64_t bits, std::uint32_t hashes, std::uint64_t keys) {
  return {
      {"bits", bits},
      {"hashes", hashes},
      {"keys", keys},
      {"fpr", nine_digits(model::portable_fpr(bits, hashes, static_cast<double>(keys)))}};
}

json promise_row(std::uint64_t keys, double fpr) {
  const bloom_layout layout = must(size_by_rate(keys, fpr));
  const portable_promise p = promise_of(layout, keys, fpr);
  return {{"keys", keys},
          {"asked", fpr},
          {"true", nine_digits(p.true_fpr)},
          {"verdict", p.is_kept()          ? "kept"
                      : p.is_refused(keys) ? "refused"
                                           : "warned"}};
}

json realised_row(std::uint64_t bits, std::uint32_t hashes, std::size_t inserted) {
  auto f = must(portable_bloom::make(bloom_layout{bits, hashes}));
  for (const std::string& k : testing::numbered("k", inserted))
    f.insert(std::string_view(k));
  return {{"bits", bits},
          {"hashes", hashes},
          {"inserted", inserted},
          {"ones", f.ones()},
          {"fpr", nine_digits(f.realised_fpr())},
          {"estimated_keys", nine_digits(f.estimated_keys())}};
}

}  // namespace

json portable_model() {
  json out;
  out["_comment"] = {
      "Rates of the portable filter (spec/model.md); to be met within 1e-6, relatively; "
      "null: infinite.",
      "expected: portable_fpr of section 5.  promises: filters.md 1.5, sized by rate.",
      "realised: sections 6 and 7; the filter holds k0, k1, .. of which so many.",
      "Some rows take a second: m of 2^31 and more, m^2 pairs of 65536 bits."};
  for (const auto& [bits, hashes, keys] :
       std::initializer_list<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>>{
           {1, 1, 1},
           {2, 1, 1},
           {10, 7, 1},
           {96, 7, 0},
           {96, 7, 5},
           {96, 7, 10},
           {96, 7, 20},
           {97, 7, 10},
           {624, 4, 100},
           {959, 7, 100},
           {2048, 13, 100},
           {2048, 200, 600},
           {2049, 13, 100},
           {2520, 30, 60},
           {9586, 7, 1000},
           {9586, 7, 3000},
           {14378, 10, 1000},
           {43133, 30, 1000},
           {9585059, 7, 1000000},
           {95850584, 7, 10000000},
           {2147483647, 7, 224000000},
           {2147483648, 7, 224000000},
           {4294967296, 7, 448000000},
           {9585058378, 7, 1000000000},
           {38340233510, 7, 4000000000},
           {2520, 1000, 2},
           {5040, 60, 100}})
    out["expected"].push_back(expected_row(bits, hashes, keys));
  for (const auto& [keys, fpr] :
       std::initializer_list<std::pair<std::uint64_t, double>>{{1, 0.5},
                                                               {1, 0.01},
                                                               {3, 0.01},
                                                               {10, 0.01},
                                                               {50, 1e-6},
                                                               {99, 1e-4},
                                                               {100, 0.05},
                                                               {100, 0.01},
                                                               {100, 1e-4},
                                                               {1000, 0.01},
                                                               {1000, 0.001},
                                                               {1000, 1e-6},
                                                               {1000, 1e-9},
                                                               {100000, 1e-5},
                                                               {1000000, 0.01},
                                                               {1000000, 1e-6},
                                                               {1000000, 1e-9},
                                                               {1000000000, 0.01},
                                                               {4000000000, 0.01}})
    out["promises"].push_back(promise_row(keys, fpr));
  for (const auto& [bits, hashes, inserted] :
       std::initializer_list<std::tuple<std::uint64_t, std::uint32_t, std::size_t>>{
           {1, 1, 0},
           {1, 1, 1},
           {96, 7, 0},
           {96, 7, 10},
           {96, 7, 1000},
           {97, 200, 3},
           {625, 4, 100},
           {2048, 8, 200},
           {9586, 7, 1000},
           {9586, 7, 3000},
           {65536, 7, 6000},
           {65537, 7, 6000},
           {100000, 10, 6000},
           {100000, 300, 10},
           {100000, 300, 200},
           {1000000, 7, 20000}})
    out["realised"].push_back(realised_row(bits, hashes, inserted));
  return out;
}

}  // namespace bloomery::vectors
