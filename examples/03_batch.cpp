// Looks up many keys at once, which overlaps the memory accesses of different keys; and
// hashes a key once for several filters.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include <bloomery/bloomery.hpp>

int main() {
  constexpr std::size_t keys = 200'000;
  auto made = bloomery::portable_bloom::make({.keys = keys, .fpr = 0.01});
  if (!made) return std::puts(made.error().what), 1;
  auto& seen = *made;

  std::vector<std::string> names;
  for (std::size_t i = 0; i < 2 * keys; ++i) names.push_back("user" + std::to_string(i));

  seen.insert(names.begin(), names.begin() + keys);  // only the first half
  std::vector<bool> maybe;
  seen.may_contain(names, std::back_inserter(maybe));

  const auto middle = maybe.begin() + keys;
  const auto present = std::count(maybe.begin(), middle, true);
  const auto mistaken = std::count(middle, maybe.end(), true);
  std::printf("inserted keys found: %td of %zu\n", present, keys);
  std::printf("others taken for one: %td, predicted %.0f\n", mistaken,
              seen.realised_fpr() * static_cast<double>(keys));

  // A key is 8 bytes and knows no filter: hash once, ask all that share a hasher.
  auto other = bloomery::portable_bloom::make({.keys = 100, .fpr = 0.01});
  if (!other) return std::puts(other.error().what), 1;
  const std::array levels{&seen, &*other};
  const bloomery::key k = seen.hash("user7");
  for (const auto* level : levels)
    std::puts(level->may_contain(k) ? "user7: possibly here" : "user7: not here");
  return present == static_cast<std::ptrdiff_t>(keys) ? 0 : 1;
}
