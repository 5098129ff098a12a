// An attacker who may query the filter, and learns from its answers.
#pragma once

#include <cstdint>

#include <bloomery/hasher.hpp>

#include "report.hpp"
#include "subject.hpp"

namespace attack {

// Queries at random, then keys that resemble the false positives found.
void ask_and_vary(const subject& s, const scale& much, report& out);

// Repeats false positives, which no hash prevents; a rebuild under another secret ends
// it, and until then the tenant's rate shows it.
void repeat_and_rekey(const scale& much, const bloomery::hasher::secret& first,
                      const bloomery::hasher::secret& second, report& out);

// Inserts only keys that test absent: each sets at least one bit.
void insert_denied_keys(const subject& s, const scale& much, report& out);

}  // namespace attack
