#include "format/dialect/rocksdb_sst.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "format/dialect/rocksdb_partitions.hpp"
#include "format/dialect/rocksdb_stored.hpp"
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

bool ask(const image& from, block_place p, std::string_view key) noexcept {
  if (!from.whole(p.at, p.size) || !block_ends_before(p, from.bytes.size())) return true;
  return stored_may_contain(from.bytes.subspan(p.at, p.size), key);
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
  const auto f = inspect_stored(bytes.subspan(p.at, p.size));
  if (!f) {
    error e = f.error();
    e.at += p.at;
    return e;
  }
  l.bits += f->bits;
  if (!is_first) return {};
  l.hashes = f->hashes;
  l.hash = f->hash;
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
    const census one = stored_count(from.bytes.subspan(p.at, p.size));
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
    sum += stored_rate(from.bytes.subspan(p.at, p.size), trials);
    ++filters;
    return true;
  });
  return filters == 0 ? 0 : sum / filters;
}

foreign_filter::part_facts sst_part(const layout& l, const image& from,
                                    std::uint64_t i) noexcept {
  const block_place p = place_of(l, from.bytes, i);
  const auto filter = from.bytes.subspan(p.at, p.size);
  const stored_filter s = inspect_stored(filter).value_or(stored_filter());
  const char* const whose = s.is_own ? " (Bloomery)" : "";
  foreign_filter::part_facts f{{}, p.at, p.size, s.bits, s.hashes};
  f.fpr = stored_rate(filter, part_trials);
  if ((form_of(l) & is_partitioned) == 0) {
    std::snprintf(f.name, sizeof f.name, "all keys, %s%s", s.kind, whose);
    return f;
  }
  const auto e = index_of(l, from.bytes).at(i);
  constexpr std::size_t room = 48;  // of a name
  char key[room + 1];
  std::size_t at = 0, k = 0;
  for (; k < e.key_length && k < e.key.size() && at + 4 <= room; ++k) {
    const auto letter = static_cast<unsigned char>(e.key[k]);
    if (letter >= 0x20 && letter < 0x7f && letter != '\\') {
      key[at++] = e.key[k];
      continue;
    }
    constexpr char digits[] = "0123456789abcdef";
    for (const char c : {'\\', 'x', digits[letter >> 4], digits[letter & 15]})
      key[at++] = c;
  }
  key[at] = 0;
  std::snprintf(f.name, sizeof f.name, "keys to \"%s\"%s, %s%s", key,
                k < e.key_length ? ".." : "", s.kind, whose);
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
  walk_filters(l, from.bytes, [&](block_place place) noexcept {
    const stored_filter one = inspect_stored(from.bytes.subspan(place.at, place.size))
                                  .value_or(stored_filter());
    const std::string_view kind = one.kind;
    if (kind == "empty" && !f.filters.empty()) return true;
    const bool is_other = f.filters != kind || f.filters_are_own != one.is_own;
    f.filters =
        f.filters.empty() || f.filters == "empty" || !is_other ? kind : "several kinds";
    f.filters_are_own = one.is_own;
    return f.filters != "several kinds";
  });
  return f;
}

}  // namespace bloomery::format
