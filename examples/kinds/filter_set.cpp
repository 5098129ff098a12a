// One key against many filters: it is hashed once, and their lines are fetched together.
#include <cstdint>
#include <iostream>
#include <vector>

#include <bloomery/filter_set.hpp>

int main() {
  auto monday = bloomery::block_bloom::make({.keys = 1000, .fpr = 0.01}).value();
  auto tuesday = monday.empty_like().value();
  tuesday.insert("alice");
  const std::vector<const bloomery::block_bloom*> days{&monday, &tuesday};
  const auto set = bloomery::filter_set<bloomery::block_bloom>::make(days).value();
  std::vector<std::uint64_t> found(set.words());
  set.may_contain(set.hash("alice"), found);  // bit i: days[i] may have it
  std::cout << "monday " << (found[0] & 1) << ", tuesday " << (found[0] >> 1) << '\n';
  return found[0] == 2 ? 0 : 1;
}
