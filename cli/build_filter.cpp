#include "build_filter.hpp"

#include <algorithm>
#include <span>

#include "distinct.hpp"
#include "read_ahead.hpp"
#include "sized.hpp"

namespace bloomery::cli {
namespace {

// Keys that several threads share out among themselves: 32 MiB of them.
constexpr std::size_t chunk_keys = std::size_t{4} << 20;

// Sized beforehand: keys go into the filter as they are read.
any_filter build_sized(const kind& what, const hasher& hash, const build_options& o) {
  any_filter filter = make_sized(what, *o.capacity, o.size, hash);
  read_ahead in(o.files, o.format, "building", o.quiet);
  std::vector<key> chunk;
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    if (o.threads == 1) {
      filter.insert(keys);
      continue;
    }
    chunk.resize(chunk.size() + keys.size());
    hash.hash(keys, std::span(chunk).last(keys.size()));
    if (chunk.size() < chunk_keys) continue;
    filter.insert(chunk, o.threads);
    chunk.clear();
  }
  filter.insert(chunk, o.threads);
  return filter;
}

// Sized by counting: hashes are kept until all distinct keys are known.
any_filter build_counted(const kind& what, const hasher& hash, const build_options& o) {
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
  return filter;
}

}  // namespace

any_filter build_filter(const kind& what, const hasher& hash, const build_options& o) {
  return o.capacity ? build_sized(what, hash, o) : build_counted(what, hash, o);
}

}  // namespace bloomery::cli
