// What each attack did: a table in Markdown, or JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attack {

enum class outcome : std::uint8_t {
  broken,   // the attack reached its goal
  holds,    // no better than chance
  remains,  // works against every filter; the documentation says what to do
  ended,    // stopped by re-keying
  noticed,  // raised an alarm
};
const char* name_of(outcome o);

struct row {
  std::string victim, hash, attack;
  std::uint64_t keys = 0;  // crafted, inserted or queried
  double seconds = 0;      // of computing them
  std::string effect;      // what the two numbers are
  double before = 0, after = 0;
  // Where the effect is a number of successes: so many, of so many, each by chance with
  // this probability.
  std::uint64_t hits = 0, trials = 0;
  double chance = 0;
  outcome verdict = outcome::holds;
  outcome expected = outcome::holds;
};

class report {
 public:
  void add(row r) { rows_.push_back(std::move(r)); }
  void print_table() const;
  void print_json(std::uint64_t keys, const std::string& secret) const;
  // Prints unexpected results to standard error; false if there is one.
  bool is_as_expected() const;

 private:
  std::vector<row> rows_;
};

}  // namespace attack
