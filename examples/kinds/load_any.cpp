// A file of any kind: the filter knows its kind, its hash and what it can do.
#include <iostream>

#include <bloomery/any_filter.hpp>

int main() {
  auto made = bloomery::quotient::make({.keys = 1000, .fpr = 0.01}).value();
  made.try_insert("alice").value();
  made.save("any.bloom").value();

  auto f = bloomery::load_any("any.bloom").value();
  std::cout << f.kind() << ": alice " << f.may_contain("alice") << '\n';
  if (f.can(bloomery::capability::grow)) f.grow().value();
  const auto folded =
      f.fold(2);  // a quotient filter cannot: an error, which names others
  return f.may_contain("alice") && !folded ? 0 : 1;
}
