// Ends the program where the library refuses: no attack is worth going on with then.
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
