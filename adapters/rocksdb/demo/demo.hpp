// What the demonstration shows.
#pragma once

#include <cstdint>
#include <filesystem>

#include "store.hpp"

namespace demo {

void measure_gets(const std::filesystem::path& folder, std::uint64_t keys, int rounds,
                  bool is_short);
void measure_budget(const std::filesystem::path& folder, std::uint64_t keys,
                    bool is_short);

}  // namespace demo
