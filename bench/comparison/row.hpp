// What is measured of one candidate at one size: one row of the table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kit/figures.hpp"

namespace bloomery::bench {

struct row {
  std::string name, about;
  bool ours = false;
  bool one_key_only = false;
  std::uint64_t keys = 0;
  std::size_t bytes = 0;
  double bits_per_key = 0;
  double measured_fpr = 0;  // share of 2^20 absent keys that may be present
  floor_times floor;        // of an array as large as this filter
  floor_times floor2;       // the same with two lines per key
  percentiles floor_latency;
  // Empty where the candidate has no such operation.
  std::optional<timing> build, build_threaded, insert, insert_batched;
  std::optional<timing> erase, erase_batched;
  std::optional<timing> present, absent, mixed;
  std::optional<timing> present_batched, absent_batched, mixed_batched;
  std::optional<timing> absent_threaded;  // batched, or single without batches
  std::optional<percentiles> present_latency, absent_latency;

  // Bits beyond log2(1/p), the least that any filter of rate p needs; in per cent.
  std::optional<double> over_limit() const;
};

struct figure_info {
  std::optional<timing> row::*at;
  const char* name;   // in JSON: name_ns, name_median_ns, name_floors
  const char* label;  // in the table
  bool writes;        // its floor is read-modify-write
};

inline constexpr std::array figure_infos{
    figure_info{&row::build, "build", "build", true},
    figure_info{&row::build_threaded, "build_2_threads", "build, 2 threads", true},
    figure_info{&row::insert, "insert", "insert", true},
    figure_info{&row::insert_batched, "insert_batched", "insert, batched", true},
    figure_info{&row::erase, "erase", "erase", true},
    figure_info{&row::erase_batched, "erase_batched", "erase, batched", true},
    figure_info{&row::present, "present", "present", false},
    figure_info{&row::absent, "absent", "absent", false},
    figure_info{&row::mixed, "mixed", "50/50", false},
    figure_info{&row::present_batched, "present_batched", "present, batched", false},
    figure_info{&row::absent_batched, "absent_batched", "absent, batched", false},
    figure_info{&row::mixed_batched, "mixed_batched", "50/50, batched", false},
    figure_info{&row::absent_threaded, "absent_2_threads", "absent, 2 threads", false},
};

}  // namespace bloomery::bench
