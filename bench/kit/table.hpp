// Figures as Markdown.
#pragma once

#include <span>
#include <string>

#include "kit/end_to_end.hpp"
#include "kit/figures.hpp"

namespace bloomery::bench {

// 10000 -> "10k", 100000000 -> "100M"
std::string short_count(std::uint64_t n);

// One row per size: what the filter is, single-lookup percentiles, the floor.
std::string filters_table(std::span<const figures> sizes);

// One row per size and operation: ns per key and its ratios to textbook and floor.
std::string speed_table(std::span<const figures> sizes);

// One row per type of key: ns per key of each call.
std::string end_to_end_table(std::span<const user_key_figures> keys);

}  // namespace bloomery::bench
