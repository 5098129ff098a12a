// spec/vectors/counting_*.json
#include <string>
#include <string_view>

#include <bloomery/counting_bloom.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "make_vectors/whole_filter.hpp"
#include "must.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::numbered;
using testing::to_hex;

json described(const counting_shape& s) {
  return {{"profile", name_of(s.layout)},
          {"cells", s.cells},
          {"hashes", s.hashes},
          {"cell_bits", s.cell_bits}};
}

counting_shape lines(std::uint64_t blocks, unsigned cell_bits) {
  return {128 * blocks, cell_layout::line, cell_bits, 8};
}
counting_shape flat(std::uint64_t cells, std::uint32_t hashes, unsigned cell_bits) {
  return {cells, cell_layout::flat, cell_bits, hashes};
}

void add_positions(json& cases, const char* text, std::uint64_t hash,
                   const counting_shape& s) {
  json row;
  if (text != nullptr) row["text"] = text;
  row["hash"] = to_hex(hash);
  row.update(described(s));
  for (const std::uint64_t c : cell_probe::cells_of(key::from_bits(hash), s))
    row["positions"].push_back(c);
  cases.push_back(row);
}

// Keys that are in, each so many times, and others that were inserted and erased.
struct history {
  key_set keys;
  unsigned copies = 1;
  unsigned erased = 0;
};

void add_filter(json& cases, const counting_shape& s, std::uint64_t identity,
                const history& h) {
  json row = described(s);
  auto f = must(counting_bloom::make(s, 0, hasher::xxh3(), identity));
  row["identity"] = identity;
  row["prefix"] = h.keys.prefix;
  row["inserted"] = h.keys.count;
  row["copies"] = h.copies;
  row["erased"] = h.erased;
  const auto all = numbered(h.keys.prefix, h.keys.count + h.erased);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (unsigned n = 0; n < (i < h.keys.count ? h.copies : 1); ++n)
      f.insert(std::string_view(all[i]));
  for (std::size_t i = h.keys.count; i < all.size(); ++i)
    must(f.erase_present(std::string_view(all[i])));
  std::size_t maybe = 0;
  for (const std::string& x : numbered("x", 1000))
    maybe += f.may_contain(std::string_view(x));
  row["maybe"] = maybe;
  row["nonzero"] = f.nonzero_cells();
  row["stuck"] = f.stuck_cells();
  row["counts"] = json::array();
  for (const std::string& k : numbered(h.keys.prefix, 10)) {
    const std::uint64_t count = f.count(std::string_view(k));
    if (count == cell_probe::unknown_count)
      row["counts"].push_back(to_hex(count));
    else
      row["counts"].push_back(count);
  }
  row["hex"] = to_hex(f.bytes());
  row["bits"] = s.is_line() ? to_hex(must(f.to_block_bloom()).bytes())
                            : to_hex(must(f.to_bloom()).bytes());
  cases.push_back(row);
}

}  // namespace

json counting_positions() {
  json out;
  out["_comment"] = {
      "Cells of a key in a counting filter (spec/filters.md 8.1): each once, in the "
      "order "
      "of",
      "lanes or hashes.  hash is XXH3-64 of text with seed 0 where there is a text; else "
      "it",
      "is chosen.  The width of the cells does not matter.  All numbers are below 2^53."};
  json& cases = out["cases"];
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  std::vector<counting_shape> shapes;
  for (const std::uint64_t blocks : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                     std::uint64_t{1009}, two32 + 15, 128 * two32})
    shapes.push_back(lines(blocks, 4));
  for (const std::uint64_t cells :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{96},
        std::uint64_t{9586}, two32 + 15, counting_shape::max_cells})
    shapes.push_back(flat(cells, 10, 8));
  for (const counting_shape& s : shapes) {
    for (const char* text : {"", "k0", "bloomery"})
      add_positions(cases, text, hasher::xxh3().hash(std::string_view(text)).bits(), s);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{1}, two32 - 1, ~std::uint64_t{0}})
      add_positions(cases, nullptr, hash, s);
  }
  return out;
}

json counting_filters() {
  json out;
  out["_comment"] = {
      "Whole counting filters (spec/filters.md 8), keys hashed with XXH3-64 and seed 0.  "
      "Keys:",
      "the texts PREFIX0, PREFIX1, .. of which so many were inserted, each `copies` "
      "times; the",
      "next `erased` of them were inserted once and then erased, in order.  maybe: how "
      "many of",
      "x0 .. x999 are possibly present.  nonzero, stuck: so many cells.  counts: of "
      "PREFIX0 ..",
      "PREFIX9, as text in hexadecimal where it is unknown.  hex: all its bytes, in the "
      "order of",
      "a file.  bits: the filter of bits that it becomes (8.6)."};
  json& cases = out["cases"];
  for (const unsigned width : {4, 8, 32}) {
    for (const key_set& keys : key_sets) add_filter(cases, lines(2, width), 0, {keys});
    for (const key_set& keys : key_sets)
      add_filter(cases, flat(101, 7, width), 0, {keys});
  }
  for (const unsigned copies : {2u, 6u, 7u, 8u, 9u, 100u}) {
    add_filter(cases, lines(3, 4), 0, {{"k", 2}, copies});
    add_filter(cases, flat(33, 3, 4), 0, {{"k", 2}, copies});
  }
  for (const unsigned copies : {126u, 127u, 128u, 200u})
    add_filter(cases, lines(1, 8), 0, {{"k", 1}, copies});
  for (const unsigned erased : {1u, 10u, 60u}) {
    add_filter(cases, lines(3, 4), 5, {{"k", 10}, 1, erased});
    add_filter(cases, flat(200, 7, 4), 5, {{"k", 10}, 1, erased});
    add_filter(cases, flat(200, 7, 32), 5, {{"k", 10}, 1, erased});
  }
  // Cells that coincide: more hashes than cells.
  add_filter(cases, flat(1, 5, 4), 0, {{"k", 3}});
  add_filter(cases, flat(3, 64, 8), 0, {{"k", 3}});
  return out;
}

}  // namespace bloomery::vectors
