#include "comparison/strings.hpp"

#include <stdexcept>
#include <vector>

#include <bloomery/block_bloom.hpp>

#include "kit/schedule.hpp"
#include "kit/subject.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {

string_row measure_strings(std::uint64_t keys, double fpr, unsigned rounds) {
  auto made = block_bloom::make({.keys = keys, .fpr = fpr});
  if (!made) throw std::runtime_error(made.error().what);
  filter_subject<block_bloom> filter(*std::move(made));
  const hasher h = filter.hasher();
  for_each_key(keys, h, [&](std::span<const key> ks) { filter.insert_batched(ks); });

  const workload w(keys, h);
  const auto views = w.absent_texts.views();
  std::vector<key> hashed(queries);
  string_row r{"block", keys, {}, {}, {}};
  schedule s;
  s.add({queries,
         [&] {
           h.hash(views, hashed);
           return hashed.back().bits();
         }},
        r.hash);
  s.add({queries, [&] { return filter.count_batched(w.absent); }}, r.hashed);
  s.add({queries, [&] { return filter.count_batched(views); }}, r.strings);
  s.run(rounds);
  return r;
}

}  // namespace bloomery::bench
