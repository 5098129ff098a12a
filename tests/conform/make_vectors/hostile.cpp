// spec/vectors/container_hostile.json: every field made a lie that all checksums confirm,
// two at a time to fix the order of refusals, and damage that the checksums notice.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "container_repair.hpp"
#include "container_samples.hpp"
#include "make_vectors/hostile_rows.hpp"

namespace bloomery::vectors {
namespace {

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
  const base_file &portable = all[0], &block = all[1], &bloom = all[3], &foreign = all[4],
                  &set = all[5];
  change(out, block, 100, 1, "reserved");
  change(out, block, 123, 1, "reserved");
  change(out, portable, 128 + 12, 1, "padding");
  change(out, portable, 128 + 63, 0x80, "padding");
  change(out, bloom, 128 + 12, 0xff, "bits beyond the last, which are ignored");
  change(out, set, 200, 1, "gap");
  change(out, set, 4095, 1, "gap");
  change(out, foreign, 128, 0, "k of nori: 0");
  change(out, foreign, 132, 0, "m of nori: 0, and too many bytes");
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
  change(out, block, 16, 5, "hash 5");
  image_bytes certain = block.bytes;
  put(certain, {"asked fpr", 48, 8}, 0x3ff0000000000000);
  testing::repair_container(certain);
  out.add(block, certain, "asked fpr 1");
  out.add(block, with_notes(block.bytes, "0700000000000000"), "notes: one, and empty");
  // The directory of the packed set: members that contradict each other answer perhaps.
  const std::size_t directory = 4096 + 3 * 32;
  change(out, set, directory + 8, 9, "directory");
  change(out, set, directory, 2, "directory");
  change(out, set, directory, 1, "directory: the first member does not begin at 0");
  const base_file &large_block = all[7], &one = all[10];
  change(out, one, 4096 + 2 * 32, 1, "directory: begins late");
  change(out, one, 4096 + 2 * 32 + 8, 1, "directory: ends early");
  change(out, one, 4096 + 2 * 32 + 8, 3, "directory: ends late");
  change(out, one, 4096 + 2 * 32 + 16, 1, "padding");
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
  change(out, tags, 100, 78, "another identity");
  change(out, tags, 108, 1, "reserved");
  change(out, tags, 18, 1, "a sentinel");
  change(out, tags, 64, 1, "a count of keys");
  change(out, tags, 20, 5, "tags of 5 bits");
  change(out, tags, 20, 33, "tags of 33 bits");
  change(out, tags, 24, 5, "an odd number of buckets");
  damage_chunks(out, large_cuckoo, {128, 4000, 4300, 8300, 9000}, false);
  change_kinds(out, all);
  for (const base_file& large : {large_block, all[8], all[9]})
    damage_chunks(out, large, {4096, 5000, 8192, 9000}, false);
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
  const auto all = native_bases();
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
  const auto named = [&](const char* name) -> const base_file& {
    return *std::ranges::find(all, name, &base_file::name);
  };
  far_quotients(to, named("quotient"));
  for (const char* const name : {"cuckoo", "counting", "flat counting", "quotient"})
    receipt_records(to, named(name), name == std::string_view("cuckoo"));
  receipts_elsewhere(to, named("block"));
  return out;
}

}  // namespace bloomery::vectors
