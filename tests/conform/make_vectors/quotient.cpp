// spec/vectors/quotient_*.json
#include <string>
#include <string_view>

#include <bloomery/quotient.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"
#include "quotient_files.hpp"
#include "quotient_oracle.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

json described(const quotient_layout& l) {
  return {{"quotients", l.quotients},
          {"remainder_bits", l.remainder_bits},
          {"blocks", l.blocks}};
}

// What a filter answers, and how its bytes are.
void add_state(json& row, const quotient& f) {
  std::size_t maybe = 0;
  for (const std::string& x : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(x));
  row["maybe"] = maybe;
  const quotient_census c = f.census();
  row["used"] = c.used_slots;
  row["list"] = json::array();
  f.for_each([&](std::uint64_t fingerprint, std::uint64_t count) {
    row["list"].push_back({fingerprint, count});
  });
  row["ones"] = f.ones();
  row["hex"] = to_hex(f.bytes());
}

// Keys that are in, each so many times, and others that were inserted and erased.
struct history {
  key_set keys;
  unsigned copies = 1;
  unsigned erased = 0;
};

void add_keys(json& cases, const quotient_layout& l, const history& h) {
  json row = described(l);
  row["prefix"] = h.keys.prefix;
  row["inserted"] = h.keys.count;
  row["copies"] = h.copies;
  row["erased"] = h.erased;
  auto f = must(quotient::make(l));
  const auto all = numbered(h.keys.prefix, h.keys.count + h.erased);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (unsigned n = 0; n < (i < h.keys.count ? h.copies : 1); ++n)
      must(f.try_insert(std::string_view(all[i])));
  for (std::size_t i = h.keys.count; i < all.size(); ++i)
    must(f.erase_present(std::string_view(all[i])));
  row["counts"] = json::array();
  for (const std::string& k : numbered(h.keys.prefix, 10))
    row["counts"].push_back(f.count(std::string_view(k)));
  add_state(row, f);
  cases.push_back(row);
}

// Chosen fingerprints: long runs and clusters, large counts.
void add_chosen(json& cases, const char* what, const quotient_layout& l,
                const testing::multiset& all) {
  json row = described(l);
  row["what"] = what;
  add_state(row, testing::quotient_of_bytes(l, *testing::quotient_bytes(l, all)));
  cases.push_back(row);
}

}  // namespace

json quotient_positions() {
  json out;
  out["_comment"] = {
      "The fingerprint of a key in a quotient filter, as quotient and remainder "
      "(spec/filters.md",
      "15.2).  hash is XXH3-64 of text with seed 0 where there is a text; else it is "
      "chosen.",
      "fingerprint is text in hexadecimal; all other numbers are below 2^53."};
  const auto row = [&](const char* text, std::uint64_t hash, std::uint64_t quotients,
                       std::uint32_t remainder_bits) {
    json r;
    if (text != nullptr) r["text"] = text;
    const quotient_layout l = quotient_layout_of(quotients, remainder_bits);
    const std::uint64_t f = l.fingerprint(key::from_bits(hash));
    r["hash"] = to_hex(hash);
    r["quotients"] = quotients;
    r["remainder_bits"] = remainder_bits;
    r["fingerprint"] = to_hex(f);
    r["quotient"] = f >> remainder_bits;
    r["remainder"] = f % (std::uint64_t{1} << remainder_bits);
    out["cases"].push_back(r);
  };
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  for (const std::uint32_t r : {2u, 3u, 7u, 8u, 13u, 28u, 32u})
    for (const std::uint64_t quotients :
         {std::uint64_t{1}, std::uint64_t{60}, std::uint64_t{64}, std::uint64_t{1000},
          std::uint64_t{1052632}, two32 + 15}) {
      if (quotients > quotient_layout::max_quotients(r)) continue;
      for (const char* text : {"", "k0", "bloomery"})
        row(text, hasher::xxh3().hash(std::string_view(text)).bits(), quotients, r);
      for (const std::uint64_t hash :
           {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
        row(nullptr, hash, quotients, r);
    }
  return out;
}

json quotient_filters() {
  json out;
  out["_comment"] = {
      "Whole quotient filters (spec/filters.md 15), keys hashed with XXH3-64 and seed 0. "
      " "
      "Keys:",
      "the texts PREFIX0, PREFIX1, .. of which so many were inserted, each `copies` "
      "times; the",
      "next `erased` of them were inserted once and then erased, in order.  Rows with "
      "`what` have",
      "no keys: they are made of the fingerprints in `list`.  maybe: how many of x0 .. "
      "x999 are",
      "possibly present.  used: slots in use.  counts: of PREFIX0 .. PREFIX9.  list: all",
      "fingerprints, ascending, each with its number of copies.  hex: all its bytes, in "
      "the order of",
      "a file."};
  json& cases = out["cases"];
  for (const quotient_layout l : {quotient_layout{60, 7, 1},
                                  {64, 2, 2},
                                  {100, 3, 2},
                                  {106, 7, 3},
                                  {110, 8, 2},
                                  {111, 13, 9},
                                  {128, 32, 3},
                                  {1000, 5, 17}})
    for (const key_set& keys : key_sets) {
      if (keys.count > l.slots() - l.slots() / 8) continue;
      add_keys(cases, l, {keys});
    }
  for (const unsigned copies : {2u, 3u, 4u, 5u, 66u, 67u, 68u, 130u, 131u, 1000u}) {
    add_keys(cases, {60, 7, 2}, {{"k", 2}, copies});
    add_keys(cases, {60, 2, 2}, {{"k", 3}, copies});
  }
  for (const unsigned erased : {1u, 10u, 60u}) {
    add_keys(cases, {106, 7, 3}, {{"k", 30}, 1, erased});
    add_keys(cases, {70, 3, 3}, {{"k", 10}, 3, erased});
  }
  testing::multiset all;
  for (std::uint64_t f = 0; f < 40 * 32; ++f) all[f] = 1;
  add_chosen(cases, "40 quotients with all their remainders: offsets of 255",
             {300, 5, 27}, all);
  for (std::uint64_t f = 0; f < 40 * 32; f += 7) all[f] = 2 + f % 90;
  add_chosen(cases, "the same, with counts", {300, 5, 40}, all);
  add_chosen(
      cases, "large counts", {60, 7, 2},
      {{5, 1}, {6, quotient_layout::max_count}, {7, 3}, {8, 4000000000}, {700, 2}});
  add_chosen(cases, "large counts in short digits", {60, 2, 4},
             {{4, quotient_layout::max_count}, {5, 1}, {6, 3}, {7, 1000000}, {200, 9}});
  add_chosen(cases, "the last quotient, and runs behind it", {60, 7, 2},
             {{59 * 128, 1}, {59 * 128 + 1, 70}, {59 * 128 + 127, 2}, {58 * 128, 60}});
  return out;
}

}  // namespace bloomery::vectors
