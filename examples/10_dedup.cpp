// Prints each line of standard input the first time it comes, in batches.
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <bloomery/bloomery.hpp>

int main() {
  auto seen = bloomery::block_bloom::make({.keys = 1'000'000, .fpr = 0.001}).value();
  while (std::cin) {
    std::vector<std::string> lines;
    for (std::string line; lines.size() < 1000 && std::getline(std::cin, line);)
      lines.push_back(line);
    std::vector<bool> is_new;
    seen.insert_if_absent(lines, std::back_inserter(is_new));
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (is_new[i]) std::cout << lines[i] << '\n';
  }
}
