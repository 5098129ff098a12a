// Who takes part: our kinds, and what this build could find of other libraries.
#pragma once

#include <vector>

#include "one_key/contender.h"

#if defined(BLOOMERY_PEER_RUST)
extern "C" {  // bench/peers/rust
extern const one_key_contender bloomery_one_key_binary_fuse8,
    bloomery_one_key_binary_fuse16, bloomery_one_key_xor8, bloomery_one_key_xor16;
}
#endif

namespace bloomery::bench {

const std::vector<one_key_contender>& one_key_contenders();

// xor_singleheader (bench/one_key/xor_singleheader.cpp); none if it could not be had.
std::vector<one_key_contender> xor_singleheader_contenders();

// For the head of the table: what is left out, and why.
const char* missing_one_key_peers();

}  // namespace bloomery::bench
