// A receipt is used once: two copies of it could erase another key's fingerprint.
#include <utility>

#include <bloomery/detail/receipt.hpp>

bloomery::receipt take(bloomery::receipt& r) {
#ifdef BLOOMERY_NOCOMPILE
  return bloomery::receipt(r);
#else
  return bloomery::receipt(std::move(r));
#endif
}
