// An attacker who may ask the filter, and learns from its answers.
#pragma once

#include <cstdint>

#include <bloomery/hasher.hpp>

#include "report.hpp"
#include "subject.hpp"

namespace attack {

// Asks at random, then for keys that resemble what was found.
void ask_and_vary(const subject& s, const scale& much, report& out);

// Repeats what it found, which no hash prevents; a rebuild under another secret ends it,
// and until then the tenant's rate shows it.
void repeat_and_rekey(const scale& much, const bloomery::hasher::secret& first,
                      const bloomery::hasher::secret& second, report& out);

// Inserts only keys that the filter denies: each sets a bit at least.
void insert_denied_keys(const subject& s, const scale& much, report& out);

}  // namespace attack
