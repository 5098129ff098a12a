// Nor through may_contain.
#include <cstdint>

#include <bloomery/portable_bloom.hpp>

bool ask(const bloomery::portable_bloom& f, std::uint64_t id) {
#ifdef BLOOMERY_NOCOMPILE
  return f.may_contain(id);
#else
  return f.may_contain(f.hash_u64(id));
#endif
}
