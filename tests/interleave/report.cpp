// BLOOMERY_SCHEDULES=1 in the environment adds the schedule of each broken variant.
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interleave {
namespace {

struct right_row {
  std::string protocol, machine;
  std::size_t programs = 0, states = 0, executions = 0, violations = 0;
  unsigned longest = 0;
};
struct broken_row {
  std::string protocol, machine, fault;
  std::size_t executions;
  failure shortest;
};

std::vector<right_row>& right_rows() {
  static std::vector<right_row> rows;
  return rows;
}
std::vector<broken_row>& broken_rows() {
  static std::vector<broken_row> rows;
  return rows;
}

void print_right() {
  std::printf("\n%-18s %-11s %8s %9s %10s %7s %10s\n", "protocol", "machine", "programs",
              "states", "executions", "longest", "violations");
  for (const right_row& r : right_rows())
    std::printf("%-18s %-11s %8zu %9zu %10zu %7u %10zu\n", r.protocol.c_str(),
                r.machine.c_str(), r.programs, r.states, r.executions, r.longest,
                r.violations);
}

void print_broken() {
  const char* const asked = std::getenv("BLOOMERY_SCHEDULES");
  const bool schedules = asked != nullptr && *asked == '1';
  std::printf("\n%-18s %-45s %-11s %5s %10s  %s\n", "protocol", "broken variant",
              "machine", "steps", "executions", "caught by");
  for (const broken_row& r : broken_rows()) {
    std::printf("%-18s %-45s %-11s %5u %10zu  %s\n", r.protocol.c_str(), r.fault.c_str(),
                r.machine.c_str(), r.shortest.steps, r.executions,
                r.shortest.what.c_str());
    if (!schedules) continue;
    for (const std::string& line : r.shortest.schedule)
      std::printf("    %s\n", line.c_str());
  }
}

class printer : public ::testing::Environment {
 public:
  void TearDown() override {
    if (!right_rows().empty()) print_right();
    if (!broken_rows().empty()) print_broken();
  }
};

// GoogleTest owns it.
[[maybe_unused]] const auto* const registered =
    ::testing::AddGlobalTestEnvironment(new printer);

}  // namespace

void add_to_report(const char* protocol, const char* machine, const verdict& v) {
  auto& rows = right_rows();
  auto r = std::find_if(rows.begin(), rows.end(), [&](const right_row& row) {
    return row.protocol == protocol && row.machine == machine;
  });
  if (r == rows.end()) r = rows.insert(rows.end(), {protocol, machine});
  ++r->programs;
  r->states += v.states;
  r->executions += v.executions;
  r->longest = std::max(r->longest, v.longest);
  r->violations += v.found ? 1 : 0;
}

void add_to_report(const char* protocol, const char* machine, const char* fault,
                   std::size_t executions, const failure& shortest) {
  broken_rows().push_back({protocol, machine, fault, executions, shortest});
}

}  // namespace interleave
