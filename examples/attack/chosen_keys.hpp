// The attacks with chosen keys, on any filter.
#pragma once

#include "report.hpp"
#include "subject.hpp"

namespace attack {

// One crafted insert per chosen absent key makes that key a false positive: a name is
// taken, a coupon is spent, an address is blocked.
void frame_absent_keys(const subject& s, const scale& much, report& out);

// From one present key, any number of absent keys that pass: the store behind the filter
// gets all of these queries.
void forge_false_positives(const subject& s, const scale& much, report& out);

// Filled with crafted keys, up to its capacity: the rate rises for all users.
void pollute(const subject& s, const scale& much, report& out);

// One block is filled, and every key of that block passes.  Only for block filters.
void fill_one_block(const subject& s, const scale& much, report& out);

// What all of these use.
void insert_honest(victim& v, const subject& s, std::size_t n);
double measured_rate(const victim& v, const subject& s, std::size_t lookups);
// broken, or holds if a keyed filter did no worse than by chance.
outcome judged(std::uint64_t hits, std::uint64_t trials, double chance);
// The rates of 32 filters of honest keys, no two of which share one.
std::vector<double> honest_rates(const subject& s, const scale& much);

}  // namespace attack
