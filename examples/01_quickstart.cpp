#include <cstdio>

#include <bloomery/bloomery.hpp>

int main() {
  auto f = bloomery::block_bloom::make({.keys = 1'000'000, .fpr = 0.01});
  if (!f) return std::puts(f.error().what), 1;
  f->insert("alice");
  std::puts(f->may_contain("alice") ? "alice: perhaps" : "alice: certainly not");
  std::puts(f->may_contain("bob") ? "bob: perhaps" : "bob: certainly not");
}
