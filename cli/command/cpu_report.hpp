// What `info --cpu` tells: the kernels, the caches, and who decides.
#pragma once

namespace bloomery::cli {

// On standard output.  Throws failure.
void report_cpu(bool as_json);

}  // namespace bloomery::cli
