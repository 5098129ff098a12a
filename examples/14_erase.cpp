// Keys that are deleted again: an erase by receipt, once, is safe for all other keys.
#include <iostream>
#include <map>
#include <string>

#include <bloomery/bloomery.hpp>

int main() {
  auto active = bloomery::cuckoo::make({.keys = 1000, .fpr = 0.001}).value();
  std::map<std::string, bloomery::receipt> sessions;
  for (const char* name : {"alice", "bob"})
    sessions[name] = active.try_insert_with_receipt(name).value();
  active.erase(std::move(sessions["alice"])).value();
  for (const char* name : {"alice", "bob"}) {
    const bool maybe = active.may_contain(name);
    std::cout << name << (maybe ? ": possibly present\n" : ": definitely not present\n");
  }
}
