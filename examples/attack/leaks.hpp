// What a seed protects, and what a stolen file reveals.
#pragma once

#include <bloomery/hasher.hpp>

#include "report.hpp"
#include "subject.hpp"

namespace attack {

// XXH3 with an unknown seed; and the same after its file was read.
void try_seeds(const scale& much, std::uint64_t seed, report& out);

// MurmurHash64A collides under every seed alike.
void try_seeds_of_murmur(const scale& much, report& out);

// False positives computed from a file: with a guessed secret, and with the real one.
void try_stolen_file(const scale& much, const bloomery::hasher::secret& secret,
                     report& out);

// The sentinels of a file are hashes of keys: those of integers, undone.
void read_keys_from_sentinels(const scale& much, const bloomery::hasher::secret& secret,
                              report& out);

}  // namespace attack
