// A lookup in one filter, the hash of the key included, and what a key costs when a
// filter is made: at the sizes that tables have.
#include <fmt/format.h>
#include <leveldb/slice.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engines/leveldb/sections.hpp"
#include "kit/interleave.hpp"

namespace bloomery::bench {
namespace {

using leveldb::FilterPolicy;
using leveldb::Slice;

struct filters {
  const FilterPolicy* policy;
  std::vector<std::vector<Slice>> keys;
  std::vector<std::string> images{};

  void make() {
    images.assign(keys.size(), {});
    for (std::size_t i = 0; i < keys.size(); ++i)
      policy->CreateFilter(keys[i].data(), static_cast<int>(keys[i].size()), &images[i]);
  }
  // Key i of each filter, in each filter.
  std::uint64_t lookups(const std::vector<std::vector<Slice>>& of) const {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < keys[0].size(); ++k)
      for (std::size_t i = 0; i < images.size(); ++i)
        found += policy->KeyMayMatch(of[i][k], images[i]);
    return found;
  }
};

struct key_sets {
  std::vector<std::string> texts;
  std::vector<std::vector<Slice>> sets;

  key_sets(std::uint64_t first, std::size_t count, std::size_t each) {
    for (std::size_t i = 0; i < count * each; ++i)
      texts.push_back(leveldb_key(first + i));
    for (std::size_t i = 0; i < count; ++i)
      sets.emplace_back(texts.begin() + static_cast<std::ptrdiff_t>(i * each),
                        texts.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
  }
};

}  // namespace

std::string probes_section(const leveldb_request& r) {
  std::string out =
      "| policy | keys per filter | absent key, ns | present key, ns | built, ns per key "
      "| "
      "bytes per filter |\n|---|---|---|---|---|---|\n";
  for (const std::size_t each : {37u, 165u}) {
    const std::size_t count = 20'000 / each;  // in the second-level cache
    const key_sets present(0, count, each), absent(absent_from, count, each);
    const auto policies = contenders();
    std::vector<filters> all;
    for (const contender& c : policies)
      if (c.policy) all.push_back({c.policy.get(), present.sets});
    std::vector<task> tasks;
    for (filters& f : all) {
      f.make();
      if (f.lookups(present.sets) != count * each)
        throw std::runtime_error("a false negative");
      tasks.push_back({count * each, [&] { return f.lookups(absent.sets); }});
      tasks.push_back({count * each, [&] { return f.lookups(present.sets); }});
      tasks.push_back({count * each, [&] { return f.make(), f.images.size(); }});
    }
    const auto times = interleave(tasks, r.rounds);
    for (std::size_t i = 0, row = 0; i < policies.size(); ++i) {
      if (!policies[i].policy) continue;
      std::size_t bytes = 0;
      for (const std::string& image : all[row].images) bytes += image.size();
      out += fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n",
                         policies[i].name, each, times[3 * row].min,
                         times[3 * row + 1].min, times[3 * row + 2].min,
                         static_cast<double>(bytes) / static_cast<double>(count));
      ++row;
    }
  }
  return out;
}

}  // namespace bloomery::bench
