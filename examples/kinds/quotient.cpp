// Keys that are erased and counted; and when it is full, grow() doubles it.
#include <iostream>
#include <string>

#include <bloomery/quotient.hpp>

int main() {
  auto users = bloomery::quotient::make({.keys = 1000, .fpr = 0.001}).value();
  for (int i = 0; i < 5000; ++i) {
    const std::string user = "user" + std::to_string(i);
    if (users.try_insert(user)) continue;
    users.grow().value();  // twice the size, and the rate; without the keys
    users.try_insert(user).value();
  }
  std::cout << users.size_in_bytes() << " bytes, room for " << users.keys_when_full()
            << " keys, rate " << users.realised_fpr() << '\n';
  return users.may_contain("user0") && users.count("user4999") == 1 ? 0 : 1;
}
