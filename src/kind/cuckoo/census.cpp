// The state of a cuckoo filter, counted from its slots (spec/model.md, section 9).
#include <bloomery/cuckoo.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <bloomery/model.hpp>

#include "kind/cuckoo/table_of.hpp"

namespace bloomery::inline v1 {
namespace {

// Different tags, each once, in a bucket; empty slots are none.
template <class Fields>
unsigned distinct_tags(const Fields& tags, typename Fields::word x,
                       std::array<std::uint32_t, cuckoo_probe::slots>& out) noexcept {
  unsigned n = 0;
  for (unsigned s = 0; s < cuckoo_probe::slots; ++s) {
    const std::uint32_t tag = tags.get(x, s * tags.bits());
    const auto end = out.begin() + n;
    if (tag != 0 && std::find(out.begin(), end, tag) == end) out[n++] = tag;
  }
  return n;
}

struct tag_counts {
  std::uint64_t pairs = 0;  // D: (bucket, tag) with the tag in the bucket
  std::uint64_t twice = 0;  // C: those whose tag is in the other bucket, too
  unsigned most = 0;        // copies of one tag in its two buckets, at the most
};

// The other bucket of a tag is anywhere: fetched some tags before it is read.
template <class Table, class Trusted>
tag_counts count_tags(const Table& t, Trusted trusted) noexcept {
  struct pending {
    std::uint64_t bucket;
    std::uint32_t tag;
    unsigned copies;
  };
  constexpr std::size_t room = 64;
  std::array<pending, room> ring{};
  tag_counts counts;
  std::size_t made = 0, used = 0;
  const auto use = [&] {
    const pending& p = ring[used++ % room];
    const unsigned copies = t.tags().size(t.tags().equal(t.load(p.bucket), p.tag));
    counts.twice += copies != 0;
    counts.most = std::max(counts.most, p.copies + copies);
  };
  std::array<std::uint32_t, cuckoo_probe::slots> tags;
  for (std::uint64_t b = 0; b < t.probe().buckets(); ++b) {
    if (!trusted(b)) continue;
    const auto here = t.load(b);
    const unsigned n = distinct_tags(t.tags(), here, tags);
    for (unsigned i = 0; i < n; ++i) {
      const std::uint64_t other = t.probe().other(b, tags[i]);
      if (!trusted(other)) continue;
      ++counts.pairs;
      if (made - used == room) use();
      t.fetch(other);
      ring[made++ % room] = {other, tags[i],
                             t.tags().size(t.tags().equal(here, tags[i]))};
    }
  }
  while (used < made) use();
  return counts;
}

}  // namespace

std::uint64_t cuckoo::occupied() const noexcept {
  return with_table(probe_, offsets_.get(), store_.data(), [this](const auto& t) {
    std::uint64_t empty = 0, trusted = 0;
    for (std::uint64_t b = 0; b < buckets(); ++b) {
      if (!damage_.empty() && is_damaged(b)) continue;
      ++trusted;
      empty += t.tags().size(t.tags().empty(t.load(b)));
    }
    return cuckoo_probe::slots * trusted - empty;
  });
}

std::uint64_t cuckoo::damaged_buckets() const noexcept {
  std::uint64_t n = 0;
  if (!damage_.empty())
    for (std::uint64_t b = 0; b < buckets(); ++b) n += is_damaged(b);
  return n;
}

double cuckoo::estimated_keys() const noexcept {
  const std::uint64_t damaged = damaged_buckets();
  if (damaged == buckets()) return std::numeric_limits<double>::infinity();
  const auto all = static_cast<double>(buckets());
  return static_cast<double>(occupied()) * all / (all - static_cast<double>(damaged));
}

double cuckoo::fill() const noexcept {
  return std::min(1.0, estimated_keys() / static_cast<double>(slots()));
}

double cuckoo::expected_fpr(std::uint64_t keys) const noexcept {
  return model::cuckoo_fpr(static_cast<double>(buckets()), tag_bits(),
                           static_cast<double>(keys));
}

unsigned cuckoo::max_copies() const noexcept {
  return with_table(probe_, offsets_.get(), store_.data(), [this](const auto& t) {
    return count_tags(t, [this](std::uint64_t b) { return !is_damaged(b); }).most;
  });
}

double cuckoo::realised_fpr() const noexcept {
  const tag_counts counts =
      with_table(probe_, offsets_.get(), store_.data(), [this](const auto& t) {
        if (damage_.empty()) return count_tags(t, [](std::uint64_t) { return true; });
        return count_tags(t, [this](std::uint64_t b) { return !is_damaged(b); });
      });
  const auto all = static_cast<double>(buckets());
  const double tags = static_cast<double>((std::uint64_t{1} << tag_bits()) - 1);
  const double intact = 1 - static_cast<double>(damaged_buckets()) / all;
  const double found =
      static_cast<double>(2 * counts.pairs - counts.twice) / (all * tags);
  return std::min(1.0, 1 - intact * intact + found);
}

}  // namespace bloomery::inline v1
