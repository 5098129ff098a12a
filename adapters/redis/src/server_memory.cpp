#include "server_memory.hpp"

#include "binding.hpp"

namespace bloomery::redis {

void* allocate(std::size_t size) noexcept {
  return server::TryAlloc != nullptr ? server::TryAlloc(size) : server::Alloc(size);
}

constinit const memory_source server_memory{
    .allocate = [](std::size_t size, void*) noexcept { return allocate(size); },
    .release = [](void* memory, void*) noexcept { server::Free(memory); }};

}  // namespace bloomery::redis
