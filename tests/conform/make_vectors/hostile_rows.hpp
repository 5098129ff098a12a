// Rows about containers that lie, and who adds which.
#pragma once

#include <set>
#include <string>
#include <vector>

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

// Other systems' files of several chunks, of which some are damaged.
std::vector<base_file> foreign_bases();
void foreign_damage(collector& out, const base_file& base);
// What a note may say of a dialect. `base`: a filter of nori.
void foreign_notes(collector& out, const base_file& base);

}  // namespace bloomery::vectors
