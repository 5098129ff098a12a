#include "files/build_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include <bloomery/print.hpp>

#include "keys/native_keys.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/make_sized.hpp"
#include "sizes/memory.hpp"
#include "sizes/option_text.hpp"
#include "sizes/static_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {
namespace {

// Keys that several threads share out among themselves: 32 MiB of them.
constexpr std::size_t chunk_keys = std::size_t{4} << 20;

double asked_rate(const kind_info& what, const size_request& size) {
  return size.is_by_rate() || what.facts.rate_beside_size ? size.rate() : 0;
}

void insert(any_filter& to, std::span<const key> keys, unsigned threads) {
  if (to.can(capability::insert)) return (void)to.insert(keys, threads);
  const auto in = to.try_insert(keys);
  if (in && *in == keys.size()) return;
  throw failure(describe(to.kind(), in ? to.try_insert(keys[*in]).error() : in.error()));
}

// A key that is inserted twice has to be erased twice.  What is built is a set.
bool holds_copies(const kind_info& what) { return what.can.has(capability::erase); }

// Keys that go straight into the filter need no memory.
void check_limit(const kind_info& what, const build_options& o) {
  const auto layout = what.layout(*o.capacity, o.size);
  if (o.memory_limit && layout && layout->bytes > *o.memory_limit)
    throw failure(fmt::format("--memory-limit {}: the filter takes {}",
                              size(*o.memory_limit), size(layout->bytes)));
}

// Keys that a level already has are left out, so that it is not full of them; a key that
// no level has room for is refused.
void insert_growing(any_filter& to, std::span<const key> keys, const build_options& o) {
  for (const key k : keys) {
    if (to.may_contain(k)) continue;
    if (const auto in = to.try_insert(k); !in) {
      if (in.error().code != errc::full) throw failure(describe(to.kind(), in.error()));
      const std::string limits = settings_text(o.size.options);
      throw failure(
          fmt::format("more keys than {} allow for a first {}: {} are in; raise "
                      "--capacity{}",
                      limits.empty() ? "the levels of the kind" : limits,
                      grouped(to.capacity()), about_keys(to.estimated_keys()),
                      limits.empty() ? "" : ", or leave the other options out"));
    }
  }
}

// Sized in advance, or growing: keys go into the filter as they are read.
built_filter build_in_passing(const kind_info& what, const hasher& hash,
                              build_options o) {
  constexpr std::uint64_t first_keys = 1000;
  if (!o.capacity) o.capacity = first_keys;
  check_limit(what, o);
  built_filter built{make_sized(what, *o.capacity, o.size, hash),
                     asked_rate(what, o.size)};
  read_ahead in(o.files, o.format, "building", o.quiet);
  std::vector<key> chunk;
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    chunk.resize(chunk.size() + keys.size());
    const auto fresh = std::span(chunk).last(keys.size());
    hash_encoded(hash, keys, fresh);
    built.sentinels.add(fresh);
    if (what.facts.grows) {
      insert_growing(built.filter, chunk, o);
      chunk.clear();
      continue;
    }
    if (o.threads > 1 && chunk.size() < chunk_keys) continue;
    insert(built.filter, chunk, o.threads);
    chunk.clear();
  }
  insert(built.filter, chunk, o.threads);
  return built;
}

std::string temp_dir_of(const build_options& o) {
  if (!o.temp_dir.empty()) return o.temp_dir;
  if (const char* set = std::getenv("TMPDIR"); set != nullptr && *set != '\0') return set;
  const auto slash = o.out.rfind('/');
  return slash == std::string::npos ? "." : o.out.substr(0, slash + 1);
}

[[noreturn]] void refuse_keys(const error& e, const build_options& o) {
  if (e.code == errc::out_of_memory && !o.memory_limit)
    throw failure(
        "not enough memory for the keys: --memory-limit SIZE sorts them on disk");
  if (e.code == errc::io)
    throw failure(fmt::format("{}; try another --temp-dir, or a larger --memory-limit",
                              to_string(e)));
  if (e.code == errc::too_large || e.code == errc::invalid_argument)
    throw failure(fmt::format("--memory-limit {}: {}: --memory-limit {:.0f}M is enough",
                              size(*o.memory_limit), e.what,
                              std::ceil(e.possible / 0x1p20)));
  throw failure(describe("keys", e));
}

filter_builder make_builder(const build_options& o, progress& bar) {
  if (!o.memory_limit) return {};
  if (static_cast<double>(*o.memory_limit) > machine_memory())
    throw failure(fmt::format("--memory-limit {}: this machine has {}",
                              size(*o.memory_limit), size(machine_memory())));
  const std::string directory = temp_dir_of(o);
  auto made = filter_builder::make({.memory_limit = *o.memory_limit,
                                    .directory = directory,
                                    .progress = calls_of(bar)});
  if (!made) refuse_keys(made.error(), o);
  return *std::move(made);
}

// Of --kind static, once the keys are counted.
const kind_info& kind_for(const kind_info& named, std::uint64_t keys,
                          const build_options& o) {
  if (o.kind != static_kind) return named;
  const static_choice best = choose_static(keys, o.size, o.fast);
  if (!o.quiet) note(fmt::format("kind {}: {}", best.kind->facts.name, best.reason));
  return *best.kind;
}

// Sized by counting, or of a kind that takes all keys at once or each only once: hashes
// are kept until all distinct keys are known.
built_filter build_counted(const kind_info& named, const hasher& hash,
                           const build_options& o) {
  progress sorting("sorting keys", o.quiet);
  filter_builder builder = make_builder(o, sorting);
  std::uint64_t read = 0;
  {
    std::vector<key> keys;
    read_ahead in(o.files, o.format, "counting keys", o.quiet);
    while (const record_batch* batch = in.next()) {
      keys.resize(batch->keys().size());
      hash_encoded(hash, batch->keys(), keys);
      if (auto ok = builder.add(keys); !ok) refuse_keys(ok.error(), o);
      read += keys.size();
    }
  }
  const auto count = builder.count(o.threads);
  if (!count) refuse_keys(count.error(), o);
  const std::uint64_t capacity = o.capacity.value_or(std::max<std::uint64_t>(1, *count));
  const kind_info& what = kind_for(named, capacity, o);
  check_size(what, capacity, o.size);
  if (*count > capacity && !what.can.has(capability::insert))
    throw failure(
        fmt::format("{} distinct keys do not fit a {} filter for {}: raise --capacity or "
                    "leave it out",
                    grouped(*count), what.facts.name, grouped(capacity)));
  auto built = builder.finish(what.facts.number, o.size, hash, o.threads, capacity);
  if (!built && o.memory_limit &&
      (built.error().code == errc::io || built.error().code == errc::too_large))
    refuse_keys(built.error(), o);
  // There is room for their number: more of it would not help.
  if (!built && built.error().code == errc::full)
    throw failure(fmt::format("{}: {}", what.facts.name, built.error().what));
  if (!built) throw failure(describe(what.facts.name, built.error()));
  warn_if_useless(built->filter, capacity, o.size);
  if (holds_copies(what) && read != *count && !o.quiet)
    note(fmt::format("{} keys read, {} distinct: each is in the filter once",
                     grouped(read), grouped(*count)));
  return *std::move(built);
}

}  // namespace

built_filter build_filter(const kind_info& what, const hasher& hash,
                          const build_options& o) {
  const bool in_passing = (o.capacity || what.facts.grows) && o.kind != static_kind &&
                          !what.can.has(capability::build) && !holds_copies(what);
  return in_passing ? build_in_passing(what, hash, o) : build_counted(what, hash, o);
}

}  // namespace bloomery::cli
