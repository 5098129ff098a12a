// What bytes may be that no magic names: the formats whose header fits, with the evidence
// for each.  For people: nothing here is ever used to answer a query.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/filter_file.hpp"
#include "text/json.hpp"

namespace bloomery::cli {

struct candidate {
  std::string_view dialect;
  std::string evidence;
  bool is_likely;       // a header fits, and says what filters are like
  std::string options;  // that reading takes besides --dialect: " --variant new"
};

// Formats whose own reader accepts the bytes, the likely first.  Those that any bytes may
// be (bare bits) are left out.  Throws failure if the file cannot be read.
std::vector<candidate> candidates_for(filter_file& file);

// What `info` reports of bytes that are of no format for certain.
json unknown_report(filter_file& file);
// `argument`: the file in a command.
std::string unknown_in_words(const json& report, const std::string& argument);

}  // namespace bloomery::cli
