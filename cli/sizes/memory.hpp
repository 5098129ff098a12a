// How much memory this machine has.
#pragma once

namespace bloomery::cli {

// Physical memory in bytes; infinite if unknown.
double machine_memory();

}  // namespace bloomery::cli
