#include "value.hpp"

#include <atomic>
#include <new>
#include <utility>

#include "value_type.hpp"

namespace bloomery::redis {
namespace {

std::atomic<std::uint64_t> count_of_values{0};

constexpr char bf_loadchunk[] = "BF.LOADCHUNK";
constexpr char cf_loadchunk[] = "CF.LOADCHUNK";

template <class F, const char* loadchunk>
bool register_type(server::context* ctx, const char* name) noexcept {
  static server::type_methods methods = value_calls<F, loadchunk>::methods();
  type_of<F> = server::CreateDataType(ctx, name, rdb_version, &methods);
  return type_of<F> != nullptr;
}

}  // namespace

template <class F>
F* new_value(F f) noexcept {
  void* memory = allocate(sizeof(F));
  if (memory == nullptr) return nullptr;
  count_of_values.fetch_add(1, std::memory_order_relaxed);
  return new (memory) F(std::move(f));
}
template chain* new_value(chain f) noexcept;
template cuckoo* new_value(cuckoo f) noexcept;

template <class F>
void free_value(F* f) noexcept {
  f->~F();
  server::Free(f);
  count_of_values.fetch_sub(1, std::memory_order_relaxed);
}

std::uint64_t value_count() noexcept {
  return count_of_values.load(std::memory_order_relaxed);
}

bool register_types(server::context* ctx) noexcept {
  return register_type<chain, bf_loadchunk>(ctx, "bloomery1") &&
         register_type<cuckoo, cf_loadchunk>(ctx, "bloomery2");
}

}  // namespace bloomery::redis
