// How much memory this machine has.
#pragma once

namespace bloomery::cli {

// Physical memory in bytes; infinite where the system does not tell.
double machine_memory();

}  // namespace bloomery::cli
