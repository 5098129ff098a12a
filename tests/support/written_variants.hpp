// Every form that a dialect writes, by its own row of the table: a new dialect is held to
// the laws by being in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "foreign.hpp"

namespace bloomery::testing {

inline std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end != 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

inline bool has_word(std::string_view text, std::string_view word) {
  return std::ranges::count(words(text), word) != 0;
}

struct written_variant {
  dialect_facts facts;
  std::string_view variant;

  std::string_view dialect() const { return facts.name; }
  std::string label() const {
    return std::string(facts.name) + " " + std::string(variant);
  }
  // For so many keys at this rate, with what the bytes will not tell.
  foreign_params params(std::uint64_t keys, double fpr = 0.01) const {
    foreign_params p = sized(keys, fpr, variant);
    if (has_word(facts.needs, "seed")) p.seed = 42;
    return p;
  }
  foreign_filter of(const std::vector<std::string>& keys) const {
    return filter_of(dialect(), params(keys.size()), keys);
  }
};

inline std::vector<written_variant> written_variants() {
  std::vector<written_variant> all;
  for (std::size_t i = 0; i < dialect_count(); ++i) {
    const dialect_facts facts = dialect_at(i);
    if (!facts.writes) continue;
    const auto listed = words(facts.variants);
    for (std::size_t v = 0; v < listed.size(); ++v)
      if (listed[v] != "(r)" && (v + 1 == listed.size() || listed[v + 1] != "(r)"))
        all.push_back({facts, listed[v]});
  }
  return all;
}

}  // namespace bloomery::testing
