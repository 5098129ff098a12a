// A set that never changes, in the least memory: 6.75 bits per key at 1 %.
#include <iostream>
#include <string>
#include <vector>

#include <bloomery/ribbon.hpp>

int main() {
  std::vector<std::string> blocked;
  for (int i = 0; i < 100'000; ++i) blocked.push_back("site" + std::to_string(i));
  const auto list = bloomery::ribbon::build(blocked, {.fpr = 0.01}, 2).value();
  list.save("blocked.bloom").value();
  const auto loaded = bloomery::ribbon::load("blocked.bloom").value();
  std::cout << 8e-5 * static_cast<double>(loaded.size_in_bytes()) << " bits per key\n";
  return loaded.may_contain("site7") ? 0 : 1;
}
