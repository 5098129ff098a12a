#include <iostream>

#include <bloomery/bloomery.hpp>

int main() {
  auto seen = bloomery::block_bloom::make({.keys = 1'000'000, .fpr = 0.01}).value();
  seen.insert("alice");
  for (const char* name : {"alice", "bob"}) {
    const bool maybe = seen.may_contain(name);
    std::cout << name << (maybe ? ": possibly present\n" : ": definitely not present\n");
  }
}
