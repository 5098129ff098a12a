#include <bloomery/detail/base/contract.hpp>

#include <cstdio>
#include <cstdlib>

namespace bloomery::inline v1::detail {

void contract_broken(const char* sentence) noexcept {
  std::fprintf(stderr, "bloomery: %s\n", sentence);
  std::abort();
}

}  // namespace bloomery::inline v1::detail
