#include "format/dialect/rocksdb_sst.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <bloomery/detail/hash/mix.hpp>

#include "format/dialect/own_table_filter.hpp"
#include "format/dialect/rocksdb_full.hpp"
#include "format/dialect/rocksdb_partitions.hpp"
#include "format/dialect/rocksdb_table.hpp"

namespace bloomery::format {
namespace {

using partitions = rocksdb_partitions;

constexpr std::uint64_t all_trials = std::uint64_t{1} << 18, part_trials = 1 << 14;

// In layout::number.
enum : std::size_t {
  block_at,
  block_size,
  form_bits,
  step,
  policy_at,
  policy_size,
  properties_at,
  properties_size
};
enum : std::uint64_t {
  is_partitioned = 1,
  keys_have_sequence = 2,
  sizes_are_deltas = 4,
  order_shift = 3,  // 2 bits
  whole_keys = 32,
  prefixes = 64,
  format_shift = 8,     // 8 bits
  checksum_shift = 16,  // 8 bits
  capped = 1 << 24,     // shorter keys are their own prefix
  prefix_shift = 32     // bytes of a prefix; 0: it is not known what is one
};

std::uint64_t form_of(const layout& l) noexcept { return l.number[form_bits]; }
constexpr std::uint64_t flag(bool is_set, std::uint64_t bit) noexcept {
  return is_set ? bit : 0;
}

std::span<const std::byte> block_of(const layout& l,
                                    std::span<const std::byte> bytes) noexcept {
  return bytes.subspan(l.number[block_at], l.number[block_size]);
}

partitions index_of(const layout& l, std::span<const std::byte> bytes) noexcept {
  partitions::form f;
  f.keys_have_sequence = (form_of(l) & keys_have_sequence) != 0;
  f.sizes_are_deltas = (form_of(l) & sizes_are_deltas) != 0;
  f.order = static_cast<decltype(f.order)>(form_of(l) >> order_shift & 3);
  f.step = l.number[step];
  return {block_of(l, bytes), f};
}

rocksdb_properties properties_of(const layout& l,
                                 std::span<const std::byte> bytes) noexcept {
  return rocksdb_properties::read(
             bytes.subspan(l.number[properties_at], l.number[properties_size]))
      .value_or(rocksdb_properties());
}

// --- one filter ---

const char* kind_of(std::span<const std::byte> filter) noexcept {
  if (is_own_table_filter(filter)) return "block (Bloomery)";
  const auto l = rocksdb_inspect(filter, {});
  return !l                                      ? "damaged"
         : l->answer == layout::constant::never  ? "empty"
         : l->answer == layout::constant::always ? "unknown"
                                                 : l->variant;
}

bool ask(const image& from, block_place p, std::string_view key) noexcept {
  if (!from.whole(p.at, p.size) || !block_ends_before(p, from.bytes.size())) return true;
  const auto filter = from.bytes.subspan(p.at, p.size);
  if (is_own_table_filter(filter)) return own_table_may_contain(filter, key);
  const auto l = rocksdb_inspect(filter, {});
  return !l || rocksdb_may_contain(*l, {filter}, key);
}

// The probes of a key follow one another at random within a line: the mean over lines.
double rate_of_lines(std::span<const std::byte> cells, std::uint32_t hashes) noexcept {
  constexpr std::size_t line = 64;
  double sum = 0;
  for (std::size_t at = 0; at + line <= cells.size(); at += line)
    sum += std::pow(
        static_cast<double>(base::count_ones(cells.subspan(at, line), 8 * line)) /
            (8 * line),
        static_cast<double>(hashes));
  return cells.empty() ? 0 : sum / static_cast<double>(cells.size() / line);
}

// The share of so many keys that pass, if there are enough of them.
double measured_rate(const layout& l, std::span<const std::byte> filter, double computed,
                     std::uint64_t trials) noexcept {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    char key[8];
    const std::uint64_t word = hash::splitmix64(i);
    for (unsigned j = 0; j < sizeof key; ++j) key[j] = static_cast<char>(word >> (8 * j));
    found += rocksdb_may_contain(l, {filter}, {key, sizeof key});
  }
  return found < 100 ? computed
                     : static_cast<double>(found) / static_cast<double>(trials);
}

census count_one(std::span<const std::byte> filter) noexcept {
  if (is_own_table_filter(filter)) return own_table_count(filter);
  const auto l = rocksdb_inspect(filter, {});
  return l ? rocksdb_count(*l, {filter}) : census();
}

double rate_of_one(std::span<const std::byte> filter, std::uint64_t trials) noexcept {
  if (is_own_table_filter(filter)) return own_table_rate(filter);
  const auto l = rocksdb_inspect(filter, {});
  if (!l) return 1;
  if (l->answer == layout::constant::none && l->variant[0] == 'f')
    return rate_of_lines(filter.subspan(l->at, l->length), l->hashes);
  const double computed = rocksdb_count(*l, {filter}).fpr;
  if (l->answer != layout::constant::none || l->variant[0] != 'l') return computed;
  return measured_rate(*l, filter, computed, trials);
}

struct shape {
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
  const char* hash = "xxph3";
};
shape shape_of(std::span<const std::byte> filter) noexcept {
  if (is_own_table_filter(filter)) {
    const block_shape own = own_table_shape(filter);
    if (own.blocks == 0) return {8 * filter.size(), 0, "xxh3"};
    return {own.bits(), own.hashes(), "xxh3"};
  }
  const auto l = rocksdb_inspect(filter, {});
  if (!l) return {};
  return {l->bits, l->hashes, l->hash};
}

// --- keys ---

// The number behind the name of an extractor; 0: it is not one of this name.
std::uint32_t length_in(std::string_view extractor, std::string_view name) noexcept {
  if (!extractor.starts_with(name)) return 0;
  extractor.remove_prefix(name.size());
  std::uint32_t n = 0;
  const auto [end, failed] =
      std::from_chars(extractor.data(), extractor.data() + extractor.size(), n);
  return failed == std::errc() && end == extractor.data() + extractor.size() ? n : 0;
}

std::uint64_t prefix_form(std::string_view extractor) noexcept {
  if (const auto n = length_in(extractor, "rocksdb.FixedPrefix."); n != 0)
    return std::uint64_t{n} << prefix_shift;
  if (const auto n = length_in(extractor, "rocksdb.CappedPrefix."); n != 0)
    return std::uint64_t{n} << prefix_shift | capped;
  return 0;
}

// What of the key is in the filters; false: it is not known what, or nothing.
bool cut_to_prefix(const layout& l, std::string_view& key) noexcept {
  if ((form_of(l) & whole_keys) != 0) return true;
  const std::uint64_t n = form_of(l) >> prefix_shift;
  if ((form_of(l) & prefixes) == 0 || n == 0) return false;
  if (key.size() < n && (form_of(l) & capped) == 0) return false;  // it has no prefix
  key = key.substr(0, static_cast<std::size_t>(n));
  return true;
}

std::uint64_t order_of(std::string_view comparator) noexcept {
  if (comparator == "leveldb.BytewiseComparator") return partitions::form::ascending;
  if (comparator == "rocksdb.ReverseBytewiseComparator")
    return partitions::form::descending;
  return partitions::form::unknown;
}

block_place place_of(const layout& l, std::span<const std::byte> bytes,
                     std::uint64_t i) noexcept {
  if ((form_of(l) & is_partitioned) == 0)
    return {l.number[block_at], l.number[block_size]};
  const auto e = index_of(l, bytes).at(i);
  return e.ok && block_ends_before(e.place, bytes.size()) ? e.place : block_place();
}

// Calls visit(place) for every filter, or the one that is queried.
template <class Visit>
void walk_filters(const layout& l, std::span<const std::byte> bytes,
                  Visit visit) noexcept {
  if (l.part != foreign_options::every_part || (form_of(l) & is_partitioned) == 0) {
    visit(place_of(l, bytes, l.part == foreign_options::every_part ? 0 : l.part));
    return;
  }
  auto all = index_of(l, bytes).entries();
  while (all.next())
    if (block_ends_before(all.place(), bytes.size()) && !visit(all.place())) return;
}

result<void> inspect_filter(layout& l, std::span<const std::byte> bytes, block_place p,
                            bool is_first) noexcept {
  const auto filter = bytes.subspan(p.at, p.size);
  if (!is_own_table_filter(filter))
    if (const auto one = rocksdb_inspect(filter, {}); !one) {
      error e = one.error();
      e.at += p.at;
      return e;
    }
  const shape s = shape_of(filter);
  l.bits += s.bits;
  if (!is_first) return {};
  l.hashes = s.hashes;
  l.hash = s.hash;
  return {};
}

// Each filter lies behind the one before it, so that each byte is read once.
result<void> inspect_partitions(layout& l, std::span<const std::byte> bytes,
                                const rocksdb_table& t) noexcept {
  l.number[step] = 1;
  const partitions index = index_of(l, bytes);
  if (!index.is_whole())
    return damaged("an index of filters that no table has", t.filters.at);
  l.parts = 0;
  auto all = index.entries();
  std::uint64_t end = 0;
  while (all.next()) {
    const std::uint64_t blame = t.filters.at + all.offset();
    const block_place p = all.place();
    if (p.at < end)
      return damaged("a filter that does not lie behind the one before it", blame);
    if (const auto ok = t.check(bytes, p, blame); !ok) return ok;
    if (const auto ok = inspect_filter(l, bytes, p, l.parts == 0); !ok) return ok;
    if (l.parts == 0) l.at = p.at;
    end = p.at + p.size + block_trailer;
    ++l.parts;
  }
  if (all.broken() || l.parts == 0)
    return damaged("an index of filters that no table has", t.filters.at);
  l.number[step] = index.step_of(l.parts);
  if (l.number[step] == 0)
    return damaged("restarts that are not those of the index of filters", t.filters.at);
  l.length = end - l.at;
  l.read_by_lookup = 512;
  return {};
}

const char* same_kind(const char* a, const char* b) noexcept {
  if (a == nullptr || std::string_view(a) == b || std::string_view(a) == "empty")
    return b;
  return std::string_view(b) == "empty" ? a : "several kinds";
}

}  // namespace

bool is_sst(const layout& l) noexcept { return l.variant[0] == 't'; }

result<layout> inspect_sst(std::span<const std::byte> bytes,
                           std::uint64_t part) noexcept {
  const auto t = rocksdb_table::read(bytes);
  if (!t) return t.error();
  layout l;
  l.variant = "table";
  l.part = part;
  l.at = t->filters.at;
  l.length = t->filters.size;
  l.cells_are_bits = false;
  l.checked = t->sums.how != rocksdb_checksum::none;
  l.number[block_at] = t->filters.at;
  l.number[block_size] = t->filters.size;
  l.number[step] = 1;
  l.number[policy_at] = t->policy_at;
  l.number[policy_size] = t->policy_size;
  l.number[properties_at] = t->properties.at;
  l.number[properties_size] = t->properties.size;
  l.number[form_bits] =
      flag(t->is_partitioned, is_partitioned) |
      flag(t->facts.keys_have_sequence, keys_have_sequence) |
      flag(t->facts.sizes_are_deltas, sizes_are_deltas) |
      order_of(t->facts.comparator) << order_shift |
      prefix_form(t->facts.prefix_extractor) | flag(t->facts.whole_keys, whole_keys) |
      flag(t->facts.prefixes, prefixes) | std::uint64_t{t->format} << format_shift |
      std::uint64_t{t->sums.how} << checksum_shift;
  const auto ok = t->is_partitioned ? inspect_partitions(l, bytes, *t)
                                    : inspect_filter(l, bytes, t->filters, true);
  if (!ok) return ok.error();
  l.head_at = l.at;
  return l;
}

bool sst_may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  std::string_view asked = key;
  if (!cut_to_prefix(l, asked)) return true;
  if (l.part != foreign_options::every_part || (form_of(l) & is_partitioned) == 0)
    return ask(
        from, place_of(l, from.bytes, l.part == foreign_options::every_part ? 0 : l.part),
        asked);
  if (!from.whole(l.number[block_at], l.number[block_size])) return true;
  if ((form_of(l) >> order_shift & 3) != partitions::form::unknown) {
    const auto found = index_of(l, from.bytes).find(key);
    return !found.ok || ask(from, found.place, asked);
  }
  bool found = false;
  walk_filters(l, from.bytes, [&](block_place p) noexcept {
    found = ask(from, p, asked);
    return !found;
  });
  return found;
}

census sst_count(const layout& l, const image& from) noexcept {
  census all;
  walk_filters(l, from.bytes, [&](block_place p) noexcept {
    const census one = count_one(from.bytes.subspan(p.at, p.size));
    all.cells += one.cells;
    all.occupied += one.occupied;
    all.keys += one.keys;
    return true;
  });
  const auto recorded = properties_of(l, from.bytes).filter_entries;
  if (recorded != 0 && l.part == foreign_options::every_part)
    all.keys = static_cast<double>(recorded);
  return all;
}

// A lookup of the engine asks one filter: the mean of their rates.
double sst_rate(const layout& l, const image& from) noexcept {
  double sum = 0, filters = 0;
  const std::uint64_t trials =
      std::max<std::uint64_t>(16, all_trials / std::max<std::uint64_t>(1, l.parts));
  walk_filters(l, from.bytes, [&](block_place p) noexcept {
    sum += rate_of_one(from.bytes.subspan(p.at, p.size), trials);
    ++filters;
    return true;
  });
  return filters == 0 ? 0 : sum / filters;
}

foreign_filter::part_facts sst_part(const layout& l, const image& from,
                                    std::uint64_t i) noexcept {
  const block_place p = place_of(l, from.bytes, i);
  const auto filter = from.bytes.subspan(p.at, p.size);
  const shape s = shape_of(filter);
  foreign_filter::part_facts f{{}, p.at, p.size, s.bits, s.hashes};
  f.fpr = rate_of_one(filter, part_trials);
  if ((form_of(l) & is_partitioned) == 0) {
    std::snprintf(f.name, sizeof f.name, "all keys, %s", kind_of(filter));
    return f;
  }
  const auto e = index_of(l, from.bytes).at(i);
  char key[4 * e.key.size() + 1] = {};
  std::size_t at = 0;
  const std::size_t shown = std::min<std::size_t>(e.key_length, e.key.size());
  for (std::size_t k = 0; k < shown && at < 48; ++k) {
    const auto letter = static_cast<unsigned char>(e.key[k]);
    const bool plain = letter >= 0x20 && letter < 0x7f && letter != '\\';
    at += static_cast<std::size_t>(
        std::snprintf(key + at, sizeof key - at, plain ? "%c" : "\\x%02x", letter));
  }
  std::snprintf(f.name, sizeof f.name, "keys to \"%s\"%s, %s", key,
                shown < e.key_length || at >= 48 ? ".." : "", kind_of(filter));
  return f;
}

foreign_filter::table_facts sst_facts(const layout& l, const image& from) noexcept {
  const rocksdb_properties p = properties_of(l, from.bytes);
  foreign_filter::table_facts f;
  f.policy = {reinterpret_cast<const char*>(from.bytes.data()) + l.number[policy_at],
              static_cast<std::size_t>(l.number[policy_size])};
  f.policy_class = p.policy;
  f.comparator = p.comparator;
  f.prefix_extractor = p.prefix_extractor;
  f.entries = p.entries;
  f.filter_entries = p.filter_entries;
  f.format = static_cast<std::int64_t>(form_of(l) >> format_shift & 255);
  f.checksum =
      rocksdb_checksum{static_cast<std::uint8_t>(form_of(l) >> checksum_shift & 255), 0}
          .name();
  const bool whole = (form_of(l) & whole_keys) != 0, cut = (form_of(l) & prefixes) != 0;
  f.keys = whole && cut ? "whole keys and prefixes"
           : whole      ? "whole keys"
           : cut        ? "prefixes"
                        : "not known";
  const char* kind = nullptr;
  walk_filters(l, from.bytes, [&](block_place place) noexcept {
    kind = same_kind(kind, kind_of(from.bytes.subspan(place.at, place.size)));
    return true;
  });
  f.filters = kind == nullptr ? "" : kind;
  return f;
}

}  // namespace bloomery::format
