// Ends the program on an error of the library.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <bloomery/result.hpp>

namespace attack {

[[noreturn]] inline void give_up(const char* why) {
  std::fprintf(stderr, "attack: %s\n", why);
  std::exit(2);
}

template <class T>
T must(bloomery::result<T> r) {
  if (!r) give_up(r.error().what);
  return *std::move(r);
}
inline void must(const bloomery::result<void>& r) {
  if (!r) give_up(r.error().what);
}

}  // namespace attack
