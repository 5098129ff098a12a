// What `info --cpu` reports: kernels, caches, and the variable that chooses.
#pragma once

namespace bloomery::cli {

// Prints on standard output.  Throws failure.
void report_cpu(bool as_json);

}  // namespace bloomery::cli
