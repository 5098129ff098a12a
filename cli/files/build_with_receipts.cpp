#include "files/build_with_receipts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "files/filter_output.hpp"
#include "keys/native_keys.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/make_sized.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Keys in the order in which they come first, with their rows.
struct first_keys {
  std::vector<key> keys;
  std::vector<std::size_t> ends;  // of the rows
  std::string rows;
  std::uint64_t read = 0;

  std::string_view row(std::size_t i) const {
    const std::size_t from = i == 0 ? 0 : ends[i - 1];
    return std::string_view(rows).substr(from, ends[i] - from);
  }
};

first_keys read_keys(const hasher& hash, const build_options& o) {
  first_keys all;
  std::unordered_set<std::uint64_t> seen;
  std::vector<key> hashes;
  read_ahead in(o.files, o.format, "counting keys", o.quiet);
  while (const record_batch* batch = in.next()) {
    hashes.resize(batch->keys().size());
    hash_encoded(hash, batch->keys(), hashes);
    all.read += hashes.size();
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (!seen.insert(hashes[i].bits()).second) continue;
      all.keys.push_back(hashes[i]);
      all.rows += batch->texts()[i];
      all.ends.push_back(all.rows.size());
    }
  }
  return all;
}

}  // namespace

void check_receipts(const kind_info& what, const build_options& o) {
  if (o.receipts.empty()) return;
  if (!what.can.has(capability::erase))
    throw failure(fmt::format(
        "--receipts: a {} filter does not erase keys: --kind {}", what.facts.name,
        kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  if (o.memory_limit)
    throw usage_error("--receipts excludes --memory-limit: their rows are in memory");
  if (is_standard_output(o.out))
    throw usage_error(
        "--receipts and -o -: receipts are of a filter in a file, which is on disk "
        "before they are");
}

built_filter build_with_receipts(const kind_info& what, const hasher& hash,
                                 const build_options& o, receipt_writer& receipts) {
  const first_keys all = read_keys(hash, o);
  const std::uint64_t capacity =
      o.capacity.value_or(std::max<std::uint64_t>(1, all.keys.size()));
  check_size(what, capacity, o.size);
  built_filter built{.filter = make_sized(what, capacity, o.size, hash),
                     .asked_fpr = o.size.is_by_rate() ? o.size.rate() : 0,
                     .keys = all.keys.size()};
  for (std::size_t i = 0; i < all.keys.size(); ++i) {
    auto in = built.filter.try_insert_with_numbered_receipt(all.keys[i]);
    if (!in && in.error().code == errc::full)
      throw failure(
          fmt::format("{}: {} of {} distinct keys do not fit a filter for {}: raise "
                      "--capacity or leave it out",
                      what.facts.name, grouped(all.keys.size() - i),
                      grouped(all.keys.size()), grouped(capacity)));
    if (!in) throw failure(describe(what.facts.name, in.error()));
    receipts.add(*in, all.row(i));
  }
  if (all.read != all.keys.size() && !o.quiet)
    note(fmt::format("{} keys read, {} distinct: each is in the filter once",
                     grouped(all.read), grouped(all.keys.size())));
  return built;
}

}  // namespace bloomery::cli
