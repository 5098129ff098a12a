// One function for each file, or kind of file, in spec/vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace bloomery::vectors {

using json = nlohmann::ordered_json;

json hashes();
json hashes_long();
json receipts();
json positions();
json sizing();
json verdicts();
json hostile();

// The file of these keys in a filter sized for n keys at rate p; `which` names them.
json whole_file(const char* which, const std::vector<std::string>& strings,
                std::uint64_t n, double p);

json block_positions();
json block_filters();
json lanes16_positions();
json lanes16_filters();
json split_block_positions();
json split_block_filters();
json bloom_positions();
json bloom_filters();
json partitioned_positions();
json partitioned_filters();
json cuckoo_positions();
json cuckoo_filters();
json ribbon_positions();
json ribbon_filters();
json fuse_positions();
json fuse_filters();
json xor_positions();
json xor_filters();
json scalable_positions();
json scalable_filters();
json quotient_positions();
json quotient_filters();
json counting_positions();
json counting_filters();
json stable_positions();
json stable_filters();
json window_filters();

json dialects();
json containers();
json portable_model();
json container_hostile();
json dialect_files();
json dialect_hostile();

}  // namespace bloomery::vectors
