#include <bloomery/foreign_filter.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <bloomery/detail/base/contract.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "base/bits.hpp"
#include "format/dialect/dialect.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/file.hpp"

namespace bloomery::inline v1 {
namespace {

using format::layout;

// The word `name` in `list`, which outlives the caller's; empty if it is not there.
std::string_view word_of(std::string_view list, std::string_view name) noexcept {
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == name) return list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

// Whether `name` is one of the words of `list`, where "(r)" is only a mark.
bool names(std::string_view list, std::string_view name) noexcept {
  return name != "(r)" && !word_of(list, name).empty();
}

result<const format::dialect*> dialect_for(std::string_view name,
                                           const foreign_options& o) noexcept {
  const format::dialect* d = format::find_dialect(name);
  if (d == nullptr) return error{errc::invalid_argument, "no dialect of that name"};
  if (!o.variant.empty() && !names(d->facts.variants, o.variant))
    return error{errc::invalid_argument, "the dialect has no variant of that name"};
  if ((o.form == key_form::integer && d->facts.integers == number_keys::plain) ||
      (o.form == key_form::text && !d->facts.texts))
    return error{errc::invalid_argument,
                 "the dialect hashes the bytes of a key, whatever they mean"};
  return d;
}

// The options that a reader needs, and no more.
foreign_options needed(const dialect_facts& facts, foreign_options o) noexcept {
  o.bits.reset();
  if (!names(facts.needs, "hashes")) o.hashes.reset();
  if (!names(facts.needs, "seed")) o.seed.reset();
  return o;
}

// inspect, and whether the requested part exists.
result<layout> inspected(const format::dialect& d, std::span<const std::byte> image,
                         const foreign_options& o) noexcept {
  auto l = d.inspect(image, o);
  if (l && o.hashes && *o.hashes != l->hashes)
    return error{errc::invalid_argument, "the bytes record another number of hashes", 0,
                 static_cast<double>(*o.hashes), static_cast<double>(l->hashes)};
  if (!l || o.part == foreign_options::every_part) return l;
  if (o.part >= l->parts)
    return error{errc::invalid_argument, "there is no part of that number", 0,
                 static_cast<double>(o.part), static_cast<double>(l->parts)};
  if (l->parts != 1 && l->part != o.part)
    return error{errc::invalid_argument,
                 "a key may be in any part of this filter: none is queried alone"};
  return l;
}

// How many lookups are made to learn a rate: 2^18 of the usual ones, fewer where each
// takes long, so that no file keeps us for more than a second or two.
std::uint64_t trial_lookups(const layout& l) noexcept {
  constexpr std::uint64_t usual_bytes = 512, usual_hashes = 32;
  const std::uint64_t effort = std::max<std::uint64_t>(l.parts, 1) +
                               l.read_by_lookup / usual_bytes +
                               format::probes_of(l) / usual_hashes;
  return (std::uint64_t{1} << 18) / effort;
}

template <class Storage>
const layout& layout_of(const Storage& s) noexcept {
  static_assert(sizeof(layout) <= sizeof s.bytes);
  return *reinterpret_cast<const layout*>(s.bytes);
}

template <class Storage>
Storage store(const layout& l) noexcept {
  Storage s{};
  std::memcpy(s.bytes, &l, sizeof l);
  return s;
}

}  // namespace

std::size_t dialect_count() noexcept { return format::all_dialects().size(); }

dialect_facts dialect_at(std::size_t i) noexcept {
  return format::all_dialects()[i]->facts;
}

likeness could_be(std::size_t dialect, std::span<const std::byte> image) noexcept {
  return format::all_dialects()[dialect]->could_be(image);
}

result<foreign_filter> foreign_filter::make(std::string_view dialect,
                                            const foreign_params& p) noexcept {
  const auto d = dialect_for(dialect, p);
  if (!d) return d.error();
  if ((*d)->build != nullptr)
    return error{errc::unsupported,
                 "filters of this dialect are built from all their keys at once"};
  if ((*d)->make == nullptr)
    return error{errc::unsupported, "filters of this dialect are read, not written"};
  foreign_params settled = p;
  if ((*d)->settle != nullptr) {
    const auto all = (*d)->settle(p);
    if (!all) return all.error();
    settled = *all;
  }
  auto image = (*d)->make(settled);
  if (!image) return image.error();
  // The working image may be another variant than the one it is written as, unless the
  // bytes do not record it.
  const auto& facts = (*d)->facts;
  foreign_options o = needed(facts, settled);
  if (!names(facts.needs, "variant"))
    o.variant = {};
  else if (p.variant.empty())
    o.variant = facts.variants.substr(0, facts.variants.find(' '));
  const auto l = inspected(**d, image->bytes(), o);
  if (!l) return l.error();
  foreign_filter f(**d, *std::move(image), store<layout_storage>(*l), o);
  f.options_.variant =
      p.variant.empty() ? l->variant : word_of(facts.variants, p.variant);
  f.changed_ = true;
  return f;
}

result<foreign_filter> foreign_filter::build(
    std::string_view dialect, const foreign_params& p,
    std::span<const std::string_view> keys) noexcept {
  const auto d = dialect_for(dialect, p);
  if (!d) return d.error();
  if ((*d)->build == nullptr) {
    foreign_params sized = p;
    if (sized.keys == 0) sized.keys = std::max<std::uint64_t>(1, keys.size());
    auto f = make(dialect, sized);
    for (std::size_t i = 0; f && i < keys.size(); ++i)
      if (auto in = f->insert(keys[i]); !in) return in.error();
    return f;
  }
  if (p.fpr || p.bits_per_key || p.bits || p.hashes || p.seed)
    return error{errc::invalid_argument,
                 "the variant decides the size, the rate and the seed of such a filter"};
  auto image = (*d)->build(p, keys);
  if (!image) return image.error();
  foreign_options o;
  o.form = p.form;
  o.variant = p.variant.empty()
                  ? (*d)->facts.variants.substr(0, (*d)->facts.variants.find(' '))
                  : word_of((*d)->facts.variants, p.variant);
  return adopt(dialect, *std::move(image), o);
}

result<foreign_filter> foreign_filter::adopt(std::string_view dialect, pages image,
                                             const foreign_options& o) noexcept {
  const auto d = dialect_for(dialect, o);
  if (!d) return d.error();
  const auto l = inspected(**d, image.bytes(), o);
  if (!l) return l.error();
  foreign_filter f(**d, std::move(image), store<layout_storage>(*l),
                   needed((*d)->facts, o));
  f.options_.variant = l->variant;
  return f;
}

result<foreign_filter> foreign_filter::decode(std::string_view dialect,
                                              std::span<const std::byte> image,
                                              const foreign_options& o) noexcept {
  const auto d = dialect_for(dialect, o);
  if (!d) return d.error();
  // Refused before it is copied.
  if (const auto l = inspected(**d, image, o); !l) return l.error();
  auto copy = format::copied(image);
  if (!copy) return copy.error();
  return adopt(dialect, *std::move(copy), o);
}

result<foreign_filter> foreign_filter::load(std::string_view dialect, path_ref path,
                                            const foreign_options& o,
                                            std::uint64_t max_bytes) noexcept {
  if (const auto d = dialect_for(dialect, o); !d) return d.error();
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load(dialect, *file, o, max_bytes));
}

result<foreign_filter> foreign_filter::load(std::string_view dialect,
                                            const input_file& file,
                                            const foreign_options& o,
                                            std::uint64_t max_bytes) noexcept {
  if (const auto d = dialect_for(dialect, o); !d) return d.error();
  auto image = format::read_whole(file, max_bytes);
  if (!image) return image.error();
  return adopt(dialect, *std::move(image), o);
}

result<pages> foreign_filter::encode(std::string_view variant) const noexcept {
  const layout& l = layout_of(layout_);
  if (variant.empty()) variant = options_.variant;
  if (!names(how_->facts.variants, variant))
    return error{errc::invalid_argument, "the dialect has no variant of that name"};
  // What answers "possibly present" here would be trusted by the next reader.
  if (damage_.size() != 0)
    return error{errc::corrupt, "damaged cells, which this format cannot mark",
                 layout_of(layout_).at};
  if (is_as_written(variant)) return format::copied(image_.bytes());
  if (how_->encode == nullptr) return format::no_such_form();
  return how_->encode(l, {image_.bytes()}, variant);
}

bool foreign_filter::is_as_written(std::string_view variant) const noexcept {
  return variant == layout_of(layout_).variant && damage_.size() == 0 &&
         (!changed_ || how_->encode == nullptr);
}

result<void> foreign_filter::save(path_ref path,
                                  const input_file* replaces) const noexcept {
  result<pages> made = is_as_written() ? pages() : encode();
  if (!made) return made.error();
  const std::span<const std::byte> parts[] = {is_as_written() ? bytes() : made->bytes()};
  return detail::of_file(path,
                         format::write_atomically(path.c_str(), parts, {}, replaces));
}

bool foreign_filter::may_contain(std::string_view key) const noexcept {
  const std::span damaged(reinterpret_cast<const std::uint64_t*>(damage_.data()),
                          damage_.size() / 8);
  return how_->may_contain(layout_of(layout_), {image_.bytes(), {damaged, chunk_log_}},
                           key);
}

void foreign_filter::may_contain(std::span<const std::string_view> keys,
                                 std::span<bool> out) const noexcept {
  detail::require_answers(keys.size(), out.size());
  for (std::size_t i = 0; i < keys.size(); ++i) out[i] = may_contain(keys[i]);
}

result<void> foreign_filter::insert(std::string_view key) noexcept {
  if (how_->insert == nullptr || !layout_of(layout_).cells_are_bits)
    return error{errc::unsupported, "filters of this form are read, not changed"};
  layout l = layout_of(layout_);
  changed_ = true;
  const auto done = how_->insert(l, image_, key);
  layout_ = store<layout_storage>(l);
  return done;
}

result<void> foreign_filter::merge(const foreign_filter& other) noexcept {
  const layout &a = layout_of(layout_), &b = layout_of(other.layout_);
  if (how_ != other.how_ ||
      (!how_->merges_variants && std::string_view(a.variant) != b.variant))
    return error{errc::incompatible, "the filters are of different dialects or variants"};
  changed_ = true;
  if (how_->merge != nullptr) {
    const std::size_t size = image_.size();
    const auto done = how_->merge(a, image_, b, {other.image_.bytes()});
    if (!done || image_.size() == size) return done;
    const auto l = how_->inspect(image_.bytes(), options_);
    if (!l) return l.error();
    layout_ = store<layout_storage>(*l);
    return {};
  }
  if (!a.cells_are_bits || a.parts != 1 || a.answer != layout::constant::none)
    return error{errc::unsupported, "filters of this form cannot be united"};
  if (a.bits != b.bits || a.hashes != b.hashes || a.seed != b.seed || a.at != b.at ||
      a.length != b.length || a.form != b.form || image_.size() != other.image_.size())
    return error{errc::incompatible, "the filters differ in bits, hashes, seed or form"};
  const auto head = [&](const pages& p) { return p.bytes().first(a.at); };
  const auto tail = [&](const pages& p) { return p.bytes().subspan(a.at + a.length); };
  if (!std::ranges::equal(head(image_), head(other.image_)) ||
      !std::ranges::equal(tail(image_), tail(other.image_)))
    return error{errc::incompatible, "the filters have different headers"};
  base::or_into(image_.bytes().subspan(a.at, a.length),
                other.image_.bytes().subspan(a.at, a.length));
  return {};
}

std::string_view foreign_filter::dialect() const noexcept { return how_->facts.name; }
std::string_view foreign_filter::variant() const noexcept { return options_.variant; }
std::string_view foreign_filter::hash() const noexcept { return layout_of(layout_).hash; }
std::uint64_t foreign_filter::bits() const noexcept { return layout_of(layout_).bits; }
std::uint32_t foreign_filter::hashes() const noexcept {
  return layout_of(layout_).hashes;
}
std::uint64_t foreign_filter::seed() const noexcept { return layout_of(layout_).seed; }
std::uint64_t foreign_filter::capacity() const noexcept {
  return layout_of(layout_).capacity;
}
std::uint64_t foreign_filter::parts() const noexcept { return layout_of(layout_).parts; }

foreign_filter::part_facts foreign_filter::part(std::uint64_t i) const noexcept {
  const layout& l = layout_of(layout_);
  if (how_->part != nullptr) return how_->part(l, {image_.bytes()}, i);
  return format::only_part(l);
}

double foreign_filter::fill() const noexcept {
  const auto c = how_->count(layout_of(layout_), {image_.bytes()});
  return c.cells == 0 ? 0 : c.occupied / c.cells;
}

double foreign_filter::estimated_keys() const noexcept {
  return how_->count(layout_of(layout_), {image_.bytes()}).keys;
}

foreign_filter::table_facts foreign_filter::table() const noexcept {
  if (how_->table == nullptr) return {};
  return how_->table(layout_of(layout_), {image_.bytes()});
}

bool foreign_filter::is_checked() const noexcept { return layout_of(layout_).checked; }

double foreign_filter::realised_fpr() const noexcept {
  if (how_->rate != nullptr) {
    const double rate = how_->rate(layout_of(layout_), {image_.bytes()});
    if (rate >= 0) return rate;
  }
  // The owner's hashes may not be ideal: measure, where that is accurate.
  const std::uint64_t lookups = trial_lookups(layout_of(layout_));
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < lookups; ++i) {
    const std::uint64_t words[] = {hash::splitmix64(i), hash::splitmix64(~i)};
    char key[16];  // the same bytes on every machine
    for (unsigned j = 0; j < sizeof key; ++j)
      key[j] = static_cast<char>(words[j / 8] >> (8 * (j % 8)));
    const bool integer = layout_of(layout_).form == key_form::integer;
    found += may_contain({key, integer ? std::size_t{8} : sizeof key});
  }
  if (found >= 100) return static_cast<double>(found) / static_cast<double>(lookups);
  return how_->count(layout_of(layout_), {image_.bytes()}).fpr;
}

result<void> foreign_filter::mark_damaged(std::span<const std::uint64_t> damaged,
                                          unsigned chunk_log) noexcept {
  const layout& l = layout_of(layout_);
  const format::damage_map map{damaged, chunk_log};
  const std::uint64_t foot_at = l.foot_at != 0 ? l.foot_at : l.at + l.length;
  if (map.touches(l.head_at, l.at - l.head_at) ||
      map.touches(foot_at, image_.size() - foot_at))
    return error{errc::corrupt, "damaged in bytes that give the filter its form", l.at};
  if (!l.cells_are_bits) {
    auto copy = format::copied(std::as_bytes(damaged));
    if (!copy) return copy.error();
    damage_ = *std::move(copy);
    chunk_log_ = chunk_log;
    return {};
  }
  const std::uint64_t chunk = std::uint64_t{1} << chunk_log;
  for (std::uint64_t at = l.at; at < l.at + l.length;) {
    const std::uint64_t end = std::min((at / chunk + 1) * chunk, l.at + l.length);
    if (map.touches(at, end - at))
      std::memset(image_.data() + at, 0xff, static_cast<std::size_t>(end - at));
    at = end;
  }
  return {};
}

}  // namespace bloomery::inline v1
