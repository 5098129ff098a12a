// Rows about other systems' files, and who adds which.
#pragma once

#include <string>

#include "make_vectors/outcome.hpp"

namespace bloomery::vectors {

class rows_of {
 public:
  rows_of(json& rows, std::string dialect, std::string options = {})
      : rows_(rows), dialect_(std::move(dialect)), options_(std::move(options)) {}

  // `place`: whether the pages of the dialect say which byte is to blame.
  void add(const std::string& what, const image_bytes& image, bool place = true,
           const std::string& asked = "k[0..9] x[0..15]") {
    json row{{"dialect", dialect_}, {"what", what}};
    for (const auto& [name, value] : conform::parse("x " + options_word()).options)
      row["read"][name] = value;
    row["image"] = testing::to_hex(image);
    if (asked != "k[0..9] x[0..15]") row["asked"] = asked;
    json outcome =
        outcome_of(image, dialect_ + (options_.empty() ? "" : " " + options_), asked);
    if (outcome.contains("error") && !place) outcome.erase("offset");
    row.update(outcome);
    rows_.push_back(std::move(row));
  }

 private:
  std::string options_word() const { return options_.empty() ? "x" : options_; }

  json& rows_;
  std::string dialect_, options_;
};

// Bytes that a format allows, or nearly, and that nobody writes.
void odd_nori(json& rows);
void odd_parquet(json& rows);

}  // namespace bloomery::vectors
