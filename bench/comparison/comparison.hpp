// Measures all candidates at one size, in turn, round after round.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "comparison/candidates.hpp"
#include "comparison/row.hpp"

namespace bloomery::bench {

struct comparison_options {
  double fpr = 0.01;
  unsigned rounds = 9;
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

struct comparison_result {
  std::vector<row> rows;
  std::vector<std::string> left_out;  // and why
};

// Throws std::runtime_error if a filter is wrong or there is no memory for it.
comparison_result compare(const std::vector<candidate>& who, std::uint64_t keys,
                          const comparison_options& o);

}  // namespace bloomery::bench
