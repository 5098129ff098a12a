// The files of spec/vectors as a whole.
#pragma once

#include <filesystem>

namespace bloomery::vectors {

// Makes every file anew.
void write_all(const std::filesystem::path& folder);
// How many files of the folder differ, are missing or extra; said on standard error.
int differences(const std::filesystem::path& folder);
// What `conform vectors` prints (spec/conformance.md): this implementation computes every
// file anew and compares.  The exit status.
int report(const std::filesystem::path& folder);

}  // namespace bloomery::vectors
