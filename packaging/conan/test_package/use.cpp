#include <cstdio>

#include <bloomery/bloomery.hpp>

int main() {
  auto f = bloomery::block_bloom::make({.keys = 1000, .fpr = 0.001});
  if (!f) return std::puts(f.error().what), 1;
  f->insert("alice");
  std::printf("bloomery %s: alice %d, bob %d\n", BLOOMERY_VERSION_STRING,
              f->may_contain("alice"), f->may_contain("bob"));
  return f->may_contain("alice") && !f->may_contain("bob") ? 0 : 1;
}
