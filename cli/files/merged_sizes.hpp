// The sizes of filters that are merged: which of them differ, and what to do about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "files/loaded_filter.hpp"

namespace bloomery::cli {

class merged_sizes {
 public:
  // The next part, as its file has it.
  void add(const loaded_filter& part);

  // Enough for the union of all parts so far, and more: two digits.
  std::uint64_t capacity() const;

  std::size_t parts() const { return parts_.size(); }
  // What the first part was built for; 0: not recorded.
  double asked_fpr() const { return parts_.empty() ? 0 : parts_.front().asked_fpr; }
  // For the parts whose size differs: what the others were built for, or enough for all.
  std::uint64_t advised_capacity() const;
  double advised_fpr() const;

  // A part and the union so far were folded to a common size; the rates they had.
  void fold(double rate_of_union, double rate_of_part);
  bool are_folded() const { return is_folded_; }
  // The highest rate of those that were folded, before.
  double rate_before() const { return rate_before_; }

  // "sunday.bloom (1.2 MiB) and the 6 others (9.6 MiB)" if most have one size; otherwise
  // "monday.bloom (1.2 MiB), tuesday.bloom (1.3 MiB) and 5 more".
  std::string odd_ones() const;
  // Why nothing is left of the union at `bytes` and that rate, and how to build the parts
  // instead, by that command.
  std::string refusal(std::size_t bytes, double rate, const std::string& command) const;

 private:
  struct part {
    std::string path;
    std::size_t bytes;
    std::uint64_t capacity, keys;  // as recorded; 0: unknown
    double asked_fpr;
    double estimated_keys;
  };

  // The size of more than half of them; 0: there is none.
  std::size_t common_size() const;
  // One of those, if its capacity is recorded; or null.
  const part* common_part() const;
  std::string advice() const;

  std::vector<part> parts_;
  bool is_folded_ = false;
  double rate_before_ = 0;
};

}  // namespace bloomery::cli
