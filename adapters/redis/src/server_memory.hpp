// Memory of values, from the server: counted by maxmemory and MEMORY USAGE, moved by its
// defragmentation.
#pragma once

#include <cstddef>

#include <bloomery/pages.hpp>

namespace bloomery::redis {

// Null instead of the end of the server where it has TryAlloc (Redis 7.0); before, sizes
// are only bounded by max-key-bytes.
void* allocate(std::size_t size) noexcept;

// The source of all memory of filters.
extern const memory_source server_memory;

}  // namespace bloomery::redis
