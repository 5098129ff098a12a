#include "files/build_filter.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "keys/distinct.hpp"
#include "keys/read_ahead.hpp"
#include "keys/sentinels.hpp"
#include "sizes/make_sized.hpp"

namespace bloomery::cli {
namespace {

// Keys that several threads share out among themselves: 32 MiB of them.
constexpr std::size_t chunk_keys = std::size_t{4} << 20;

double asked_rate(const size_request& size) {
  return size.memory || size.bits_per_key ? 0 : size.fpr.value_or(default_fpr);
}

// Sized beforehand: keys go into the filter as they are read.
built build_sized(const kind& what, const hasher& hash, const build_options& o) {
  any_filter filter = make_sized(what, *o.capacity, o.size, hash);
  smallest_keys smallest;
  read_ahead in(o.files, o.format, "building", o.quiet);
  std::vector<key> chunk;
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    chunk.resize(chunk.size() + keys.size());
    const auto fresh = std::span(chunk).last(keys.size());
    hash.hash(keys, fresh);
    smallest.add(fresh);
    if (o.threads > 1 && chunk.size() < chunk_keys) continue;
    filter.insert(chunk, o.threads);
    chunk.clear();
  }
  filter.insert(chunk, o.threads);
  return {std::move(filter), {asked_rate(o.size), 0, smallest.all()}};
}

// Sized by counting: hashes are kept until all distinct keys are known.
built build_counted(const kind& what, const hasher& hash, const build_options& o) {
  distinct_keys distinct;
  {
    std::vector<key> keys;
    read_ahead in(o.files, o.format, "counting keys", o.quiet);
    while (const record_batch* batch = in.next()) {
      keys.resize(batch->keys().size());
      hash.hash(batch->keys(), keys);
      distinct.add(keys);
    }
  }
  const auto all = distinct.all();
  any_filter filter =
      make_sized(what, std::max<std::uint64_t>(1, all.size()), o.size, hash);
  filter.insert(all, o.threads);
  const auto least = all.first(std::min(all.size(), smallest_keys::most));
  return {std::move(filter),
          {asked_rate(o.size), all.size(), std::vector<key>(least.begin(), least.end())}};
}

}  // namespace

built build_filter(const kind& what, const hasher& hash, const build_options& o) {
  return o.capacity ? build_sized(what, hash, o) : build_counted(what, hash, o);
}

}  // namespace bloomery::cli
