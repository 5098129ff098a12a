// From a stream of keys to a filter of exactly their number, within a limit of memory.
#include <iostream>

#include <bloomery/build.hpp>

int main() {
  auto all = bloomery::filter_builder::make({.memory_limit = 64u << 20}).value();
  const auto hash = bloomery::hasher::xxh3();
  for (const char* name : {"alice", "bob", "alice"}) {
    const bloomery::key k = hash.hash(name);
    all.add({&k, 1}).value();
  }
  const auto kind = bloomery::container_kind::ribbon;  // or any other
  const auto built = all.finish(kind, {.fpr = 0.01}, hash).value();
  save_any(built.filter, "names.bloom", built.notes()).value();
  std::cout << built.keys << " distinct keys\n";
  return built.keys == 2 && built.filter.may_contain("bob") ? 0 : 1;
}
