// spec/vectors/portable_*.json
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/detail/kind/portable/format.hpp>
#include <bloomery/portable_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::to_hex;

void add_layout(json& row, const result<bloom_layout>& r) {
  if (!r) {
    row["error"] = name_of(r.error().code);
    return;
  }
  row["bits"] = r->bits;
  row["hashes"] = r->hashes;
}

portable_bloom filter_of(const std::vector<std::string>& strings, std::uint64_t n,
                         double p) {
  auto f = must(portable_bloom::make({.keys = n, .fpr = p}));
  for (const std::string& s : strings) f.insert(s);
  return f;
}

std::string file_hex(std::uint32_t hashes, std::uint64_t bits, const std::string& body) {
  return to_hex(portable_header({bits, hashes})) + body;
}

}  // namespace

json positions() {
  json out;
  out["_comment"] = {
      "Bits of a key in a portable filter: (h1 + i*h2) mod bits for i = 0..hashes-1, "
      "where",
      "h1 and h2 are the low and high 32 bits of the hash (spec/filters.md 1.1).",
      "hash is fnv1a-splitmix(text) where there is a text; else it is chosen, to put a "
      "half",
      "at an end of its range.  All numbers are below 2^53."};
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  const std::uint64_t sizes[] = {1,
                                 2,
                                 7,
                                 8,
                                 96,
                                 9586,
                                 65'537,
                                 two32 / 2,
                                 two32 - 5,
                                 two32 - 1,
                                 two32,
                                 two32 + 1,
                                 two32 + 15,
                                 2 * two32,
                                 3 * two32 + 1,
                                 256 * two32 + 15};
  const auto row = [&](const char* text, std::uint64_t hash, std::uint64_t bits) {
    json r;
    if (text != nullptr) r["text"] = text;
    r["hash"] = to_hex(hash);
    r["bits"] = bits;
    r["hashes"] = bits > two32 ? 30 : 7;
    const portable_probe probe(bits);
    auto w = probe.start(key::from_bits(hash));
    for (int i = 0; i < r["hashes"]; ++i, w.advance(bits)) r["positions"].push_back(w.at);
    out["cases"].push_back(r);
  };
  for (const std::uint64_t bits : sizes) {
    for (const char* text : {"", "k0", "bloomery"})
      row(text, hasher::fnv1a_splitmix().hash(std::string_view(text)).bits(), bits);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, two32 - 1, (two32 - 1) << 32, ~std::uint64_t{0}, two32 + 1})
      row(nullptr, hash, bits);
  }
  return out;
}

json sizing() {
  json out;
  out["_comment"] = {
      "Sizing of the portable filter (spec/filters.md 1.4): bits and hashes for so many "
      "keys.",
      "Real numbers are IEEE doubles, printed with as many digits as tell them apart.",
      "A row with an error must be refused."};
  constexpr std::uint64_t counts[] = {
      1,   2,    3,      4,       7,         10,          99,
      100, 1000, 12'345, 100'000, 1'000'000, 100'000'000, 4'294'967'296};
  constexpr double rates[] = {0.9999, 0.9,   0.5,  0.25, 0.1,  0.05, 0.02,  0.01,
                              0.005,  0.001, 1e-4, 1e-5, 1e-6, 1e-9, 1e-12, 1e-30};
  for (const std::uint64_t n : counts)
    for (const double p : rates) {
      json row{{"keys", n}, {"fpr", p}};
      add_layout(row, size_by_rate(n, p));
      out["by_rate"].push_back(row);
    }
  const std::uint64_t two60 = std::uint64_t{1} << 60;
  for (const auto& [n, p] : {std::pair<std::uint64_t, double>{0, 0.01},
                             {1000, 0.0},
                             {1000, 1.0},
                             {1000, -1.0},
                             {two60, 0.01}}) {
    json row{{"keys", n}, {"fpr", p}};
    add_layout(row, size_by_rate(n, p));
    out["by_rate"].push_back(row);
  }
  for (const std::uint64_t n : {0ull, 1ull, 3ull, 1000ull, 1'000'000ull})
    for (const double b : {0.0, 0.001, 1.0, 9.6, 10.0, 14.4, 43.3, 1000.0}) {
      json row{{"keys", n}, {"bits_per_key", b}};
      add_layout(row, size_by_bits_per_key(n, b));
      out["by_bits_per_key"].push_back(row);
    }
  for (const std::uint64_t n : {0ull, 1ull, 1000ull, 1'000'000ull})
    for (const std::uint64_t c : {0ull, 1ull, 1250ull, 1'048'576ull, 1ull << 40}) {
      json row{{"keys", n}, {"bytes", c}};
      add_layout(row, size_by_memory(n, c));
      out["by_memory"].push_back(row);
    }
  return out;
}

json whole_file(const char* which, const std::vector<std::string>& strings,
                std::uint64_t n, double p) {
  const auto f = filter_of(strings, n, p);
  json out;
  out["_comment"] = {
      "A whole portable file (spec/dialects.md 1), in hex.",
      "The filter was sized by rate for so many keys; then the keys went in.", which};
  out["sized_for"] = {{"keys", n}, {"fpr", p}};
  out["inserted"] = strings.size();
  out["bits"] = f.bits();
  out["hashes"] = f.hashes();
  out["ones"] = f.ones();
  out["hex"] = to_hex(must(f.encode()).bytes());
  return out;
}

json verdicts() {
  const auto f = filter_of(testing::numbered("k", 1000), 1000, 0.01);
  json out;
  out["_comment"] = {
      "The filter of portable_k1000_n1000_p0.01.json is asked for x0 .. x9999.",
      "It answers perhaps for the numbers listed, and certainly not for all others.",
      "It answers perhaps for all of k0 .. k999."};
  out["filter"] = "portable_k1000_n1000_p0.01.json";
  out["asked"] = 10'000;
  out["maybe"] = 0;
  const auto absent = testing::numbered("x", 10'000);
  for (std::size_t i = 0; i < absent.size(); ++i)
    if (f.may_contain(std::string_view(absent[i]))) out["numbers"].push_back(i);
  out["maybe"] = out["numbers"].size();
  return out;
}

json hostile() {
  json out;
  out["_comment"] = {
      "Whole files, in hex, that a reader of the portable dialect must refuse, and the "
      "byte",
      "offset to blame (spec/dialects.md 1.1); then odd ones that it must accept: "
      "decoding",
      "and encoding gives the same bytes, and ones counts the bits below m only."};
  constexpr std::uint64_t two63 = std::uint64_t{1} << 63;
  const std::string ten = "070000006000000000000000dd93738e46625dd24738197f";
  const std::pair<const char*, std::string> refused[] = {
      {"nothing", ""},
      {"one_byte", "07"},
      {"header_less_a_byte", ten.substr(0, 22)},
      {"header_only", ten.substr(0, 24)},
      {"k_zero", file_hex(0, 8, "ff")},
      {"m_zero", file_hex(7, 0, "")},
      {"m_zero_with_a_body", file_hex(7, 0, "ff")},
      {"k_and_m_zero", file_hex(0, 0, "")},
      {"body_less_a_byte", ten.substr(0, 46)},
      {"a_byte_too_many", ten + "00"},
      {"m_one_more_than_the_body", file_hex(7, 97, ten.substr(24))},
      {"m_eight_less_than_the_body", file_hex(7, 88, ten.substr(24))},
      {"m_2pow32_without_body", file_hex(7, std::uint64_t{1} << 32, "")},
      {"m_2pow63_without_body", file_hex(7, two63, "")},
      {"m_2pow64_less_7_wraps_to_one_byte", file_hex(7, ~std::uint64_t{0} - 6, "")},
      {"m_2pow64_less_1", file_hex(7, ~std::uint64_t{0}, "")},
      {"m_big_endian",
       "07000000"
       "0000000000000060"
       "dd93738e46625dd24738197f"}};
  for (const auto& [defect, hex] : refused) {
    const auto f = portable_bloom::decode(testing::from_hex(hex));
    if (f) throw std::logic_error(std::string("not refused: ") + defect);
    out["refused"].push_back({{"defect", defect},
                              {"error", name_of(f.error().code)},
                              {"offset", f.error().at},
                              {"hex", hex}});
  }
  const std::pair<const char*, std::string> accepted[] = {
      {"one_bit", file_hex(1, 1, "01")},
      {"k_31", file_hex(31, 64, "0123456789abcdef")},
      {"k_2pow32_less_1", file_hex(0xffffffff, 5, "1b")},
      {"padding_bits_set", file_hex(2, 9, "00fe")},
      {"all_ones_and_padding", file_hex(7, 13, "ffff")}};
  for (const auto& [oddity, hex] : accepted) {
    const auto f = must(portable_bloom::decode(testing::from_hex(hex)));
    out["accepted"].push_back({{"oddity", oddity},
                               {"bits", f.bits()},
                               {"hashes", f.hashes()},
                               {"ones", f.ones()},
                               {"padding_is_clear", f.padding_is_clear()},
                               {"hex", hex}});
  }
  return out;
}

}  // namespace bloomery::vectors
