// Rows about containers that lie, and who adds which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "container_repair.hpp"
#include "make_vectors/outcome.hpp"

namespace bloomery::vectors {

struct base_file {
  std::string name;
  image_bytes bytes;
};

class collector {
 public:
  explicit collector(json& rows) : rows_(rows) {}

  // One row for each different outcome of a base and what was done to it.
  void add(const base_file& base, const image_bytes& bytes, const std::string& defect,
           bool always = false) {
    json row{{"base", base.name}, {"defect", defect}};
    row.update(edits_of(base.bytes, bytes));
    const json outcome = outcome_of(bytes, "native");
    const std::string group = base.name + ' ' + defect + ' ' + outcome.dump();
    if (!seen_.insert(group).second && !always) return;
    row.update(outcome);
    rows_.push_back(std::move(row));
  }

 private:
  json& rows_;
  std::set<std::string> seen_;
};

// Adds the base with one byte changed, and all checksums made right again.
inline void change(collector& out, const base_file& base, std::size_t at,
                   std::uint8_t value, const std::string& defect) {
  image_bytes bytes = base.bytes;
  bytes[at] = std::byte{value};
  testing::repair_container(bytes);
  out.add(base, bytes, defect, true);
}

// Adds the base with a chunk damaged at each of these bytes that lies more than `tail`
// before its end; `pairs`: each also with the chunk of byte 200.
inline void damage_chunks(collector& out, const base_file& base,
                          std::initializer_list<std::size_t> offsets, bool pairs,
                          std::size_t tail = 64) {
  for (const std::size_t at : offsets) {
    if (at >= base.bytes.size() - tail) continue;
    image_bytes bytes = base.bytes;
    bytes[at] ^= std::byte{1};
    out.add(base, bytes, "a damaged chunk, of byte " + std::to_string(at));
    if (!pairs) continue;
    bytes[200] ^= std::byte{0x10};
    out.add(base, bytes, "two damaged chunks, of bytes 200 and " + std::to_string(at));
  }
}

// The native files that rows start from.
std::vector<base_file> native_bases();
// Inserts `notes` before the last checksum, and makes all checksums right again.
image_bytes with_notes(image_bytes file, std::string_view hex);
// Rows about the parameters and the payload of each kind.
void change_kinds(collector& out, const std::vector<base_file>& all);
// Quotient filters that were made to be slow.  `base`: a small one.
void far_quotients(collector& out, const base_file& base);
// Records of numbered receipts; `of_many`: with as many ranges as there may be.
void receipt_records(collector& out, const base_file& base, bool of_many);
void receipts_elsewhere(collector& out, const base_file& base);

// Other systems' files of several chunks, of which some are damaged.
std::vector<base_file> foreign_bases();
void foreign_damage(collector& out, const base_file& base);
// What a note may say of a dialect. `base`: a filter of nori.
void foreign_notes(collector& out, const base_file& base);

}  // namespace bloomery::vectors
