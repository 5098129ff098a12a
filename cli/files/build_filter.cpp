#include "files/build_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "keys/native_keys.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/make_sized.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Keys that several threads share out among themselves: 32 MiB of them.
constexpr std::size_t chunk_keys = std::size_t{4} << 20;

double asked_rate(const size_request& size) {
  return size.is_by_rate() ? size.rate() : 0;
}

void insert(any_filter& to, std::span<const key> keys, unsigned threads) {
  if (to.can(capability::insert)) return (void)to.insert(keys, threads);
  const auto in = to.try_insert(keys);
  if (in && *in == keys.size()) return;
  throw failure(describe(to.kind(), in ? to.try_insert(keys[*in]).error() : in.error()));
}

// A key that is inserted twice has to be erased twice.  What is built is a set.
bool holds_copies(const kind_info& what) { return what.can.has(capability::erase); }

// Sized in advance: keys go into the filter as they are read.
built_filter build_in_passing(const kind_info& what, const hasher& hash,
                              const build_options& o) {
  built_filter built{make_sized(what, *o.capacity, o.size, hash), asked_rate(o.size)};
  read_ahead in(o.files, o.format, "building", o.quiet);
  std::vector<key> chunk;
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    chunk.resize(chunk.size() + keys.size());
    const auto fresh = std::span(chunk).last(keys.size());
    hash_spelt(hash, keys, fresh);
    built.sentinels.add(fresh);
    if (o.threads > 1 && chunk.size() < chunk_keys) continue;
    insert(built.filter, chunk, o.threads);
    chunk.clear();
  }
  insert(built.filter, chunk, o.threads);
  return built;
}

// Sized by counting, or of a kind that takes all keys at once or each only once: hashes
// are kept until all distinct keys are known.
built_filter build_counted(const kind_info& what, const hasher& hash,
                           const build_options& o) {
  distinct_keys distinct;
  std::uint64_t read = 0;
  {
    std::vector<key> keys;
    read_ahead in(o.files, o.format, "counting keys", o.quiet);
    while (const record_batch* batch = in.next()) {
      keys.resize(batch->keys().size());
      hash_spelt(hash, batch->keys(), keys);
      if (!distinct.add(keys)) throw std::bad_alloc();
      read += keys.size();
    }
  }
  const auto all = distinct.all();
  if (!all) throw std::bad_alloc();
  const std::uint64_t capacity =
      o.capacity.value_or(std::max<std::uint64_t>(1, all->size()));
  check_size(what, capacity, o.size);
  if (all->size() > capacity && !what.can.has(capability::insert))
    throw failure(
        fmt::format("{} distinct keys do not fit a {} filter for {}: raise --capacity or "
                    "leave it out",
                    grouped(all->size()), what.facts.name, grouped(capacity)));
  auto filter = what.build(*all, capacity, o.size, hash, o.threads);
  // There is room for their number: more of it would not help.
  if (!filter && filter.error().code == errc::full)
    throw failure(fmt::format("{}: {}", what.facts.name, filter.error().what));
  if (!filter) throw failure(describe(what.facts.name, filter.error()));
  warn_if_useless(*filter, capacity, o.size);
  if (holds_copies(what) && read != all->size() && !o.quiet)
    note(fmt::format("{} keys read, {} distinct: each is in the filter once",
                     grouped(read), grouped(all->size())));
  built_filter built{*std::move(filter), asked_rate(o.size), all->size()};
  built.sentinels.add(all->first(std::min(all->size(), sentinel_picker::max_keys)));
  return built;
}

}  // namespace

built_filter build_filter(const kind_info& what, const hasher& hash,
                          const build_options& o) {
  const bool in_passing =
      o.capacity && !what.can.has(capability::build) && !holds_copies(what);
  return in_passing ? build_in_passing(what, hash, o) : build_counted(what, hash, o);
}

}  // namespace bloomery::cli
