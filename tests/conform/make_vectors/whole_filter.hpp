// Rows of files with whole filters: their keys, their bytes, and what they answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "put_into.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {

// A filter of the keys PREFIX0 .. and what it says to x0 .. x999.
template <class F>
void add_filter(json& row, F f, const char* prefix, std::size_t count) {
  row["prefix"] = prefix;
  row["inserted"] = count;
  for (const std::string& s : testing::numbered(prefix, count))
    testing::put_into(f, std::string_view(s));
  std::size_t maybe = 0;
  for (const std::string& s : testing::numbered("x", 1000))
    maybe += f.may_contain(std::string_view(s));
  row["maybe"] = maybe;
  row["ones"] = f.ones();
  row["hex"] = testing::to_hex(f.bytes());
}

struct key_set {
  const char* prefix;
  std::size_t count;
};
inline constexpr key_set key_sets[] = {{"k", 0}, {"k", 1}, {"k", 10}, {"key", 100}};

inline constexpr const char* of_filters =
    "Keys: the texts PREFIX0, PREFIX1, .. of which so many were inserted.  maybe: how "
    "many";
inline constexpr const char* of_maybes =
    "of x0 .. x999 it answers perhaps for.  hex: all its bytes, in the order of a file.";

}  // namespace bloomery::vectors
