// Keys that are deleted one by one.  It can be full, and a receipt makes erasing safe.
#include <iostream>
#include <utility>

#include <bloomery/cuckoo.hpp>

int main() {
  auto active = bloomery::cuckoo::make({.keys = 1000, .fpr = 0.001}).value();
  if (auto in = active.try_insert("bob"); !in) return 1;  // full: nothing has changed
  bloomery::receipt alice = active.try_insert_with_receipt("alice").value();
  active.erase(std::move(alice)).value();
  std::cout << "alice: " << active.may_contain("alice")
            << ", bob: " << active.may_contain("bob") << '\n';
  return active.may_contain("bob") && !active.may_contain("alice") ? 0 : 1;
}
