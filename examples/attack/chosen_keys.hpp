// The attacks with chosen keys, on any filter.
#pragma once

#include "report.hpp"
#include "subject.hpp"

namespace attack {

// One crafted key for each of many chosen absent ones makes it a false positive: a name
// is taken, a coupon is spent, an address is blocked.
void frame_absent_keys(const subject& s, const scale& much, report& out);

// From one key that is in, as many queries as are wanted that pass: the store behind the
// filter gets all of them.
void forge_false_positives(const subject& s, const scale& much, report& out);

// Filled with crafted keys, no more than it was made for: the rate of everybody.
void pollute(const subject& s, const scale& much, report& out);

// One block is filled, and whatever falls into it passes.  Nothing if it has no blocks.
void fill_one_block(const subject& s, const scale& much, report& out);

// What all of these use.
void insert_honest(victim& v, const subject& s, std::size_t n);
double measured_rate(const victim& v, const subject& s, std::size_t lookups);
// broken, or holds if a keyed filter did no worse than by chance.
outcome judged(std::uint64_t hits, std::uint64_t trials, double chance);
// The rates of 32 filters of honest keys, no two of which share one.
std::vector<double> honest_rates(const subject& s, const scale& much);

}  // namespace attack
