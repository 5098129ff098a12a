#include "kind/ribbon/layers.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/byte_writer.hpp"
#include "base/parallel_for.hpp"
#include "filter/sort_distinct.hpp"
#include "kind/ribbon/kernel/probe.hpp"
#include "kind/ribbon/kernel/table.hpp"

namespace bloomery::inline v1 {
namespace {

error other_keys() noexcept {
  return {errc::invalid_argument,
          "the keys do not ascend, or there are not as many as stated"};
}

// The lowest hash of a segment.
std::uint64_t first_hash(std::uint64_t segment, std::uint64_t segments) noexcept {
  const auto all = static_cast<kernel::u128>(segment) << 64;
  return static_cast<std::uint64_t>((all + segments - 1) / segments);
}

// Some segments of a layer, one after the other, and what they pass on.
class segment_group {
 public:
  static constexpr std::size_t max_segments = 128;

  // REQUIRES: at most max_segments of them
  segment_group(const ribbon_layout& all, std::size_t layer, std::uint64_t first,
                std::uint64_t end, std::span<const key> ks) noexcept
      : all_(all),
        layer_(layer),
        first_(first),
        count_(static_cast<std::size_t>(end - first)) {
    const std::uint64_t segments = all.layer[layer].segments;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t next = first_hash(first + i + 1, segments);
      const auto stop = i + 1 == count_ ? ks.end()
                                        : std::ranges::partition_point(
                                              ks, [&](key k) { return k.bits() < next; });
      keys_[i] = ks.first(static_cast<std::size_t>(stop - ks.begin()));
      ks = ks.subspan(keys_[i].size());
    }
  }

  // By so many threads, each for its share; rows: row_bytes for each segment that each
  // of them has at once.  `passed_on`: room for all keys.  False: the keys did not
  // ascend.
  bool solve(unsigned threads, std::byte* rows, std::size_t row_bytes, std::byte* data,
             std::uint8_t* thresholds, key* passed_on) noexcept {
    constexpr std::size_t together = kernel::max_together;
    const auto buckets = static_cast<std::size_t>(all_.layer[layer_].segment_slots /
                                                  (all_.width == 64 ? 128 : 512));
    base::parallel_for(threads, [&](unsigned t) noexcept {
      const std::size_t end = count_ * (t + 1) / threads;
      for (std::size_t i = count_ * t / threads; i < end; i += together) {
        const std::size_t n = std::min(together, end - i);
        std::array<kernel::ribbon_segment, together> some;
        std::array<std::size_t, together> passed;
        for (std::size_t k = 0; k < n; ++k)
          some[k] = {.all = &all_,
                     .layer = layer_,
                     .number = first_ + i + k,
                     .ks = keys_[i + k],
                     .rows = rows + (t * together + k) * row_bytes,
                     .data = data,
                     .thresholds = thresholds + (i + k) * buckets,
                     .passed_on = passed_on + (keys_[i + k].data() - keys_[0].data())};
        kernel::best_ribbon_kernel().solve(std::span(some).first(n), passed.data());
        for (std::size_t k = 0; k < n; ++k)
          passed_[i + k] = {some[k].passed_on, passed[k]};
      }
    });
    for (std::size_t i = 0; i < count_; ++i)
      if (passed_[i].size() > keys_[i].size()) return false;
    return true;
  }
  std::span<const std::span<const key>> passed() const noexcept {
    return std::span(passed_).first(count_);
  }

 private:
  const ribbon_layout& all_;
  std::size_t layer_;
  std::uint64_t first_;
  std::size_t count_;
  std::array<std::span<const key>, max_segments> keys_{}, passed_{};
};

}  // namespace

ribbon_layers::ribbon_layers(ribbon_columns columns, unsigned width, unsigned threads,
                             ribbon_limits limits) noexcept
    : threads_(threads), limits_(limits) {
  if (limits_.small_keys == 0) limits_.small_keys = ribbon_small_keys(width);
  shape_.width = width;
  shape_.columns = columns.columns;
  shape_.narrow = columns.columns == 1 ? 0 : columns.narrow;
}

result<void> ribbon_layers::build(sorted_keys& source) noexcept {
  if (source.size() > limits_.small_keys) return add_layers(source);
  const auto ks = source.take_below(0);
  if (!ks) return ks.error();
  if (ks->size() != source.size()) return other_keys();
  return finish(*ks);
}

result<void> ribbon_layers::add_layers(sorted_keys& source) noexcept {
  growing_array<key> passed;
  if (auto ok = add_layer(source, 0, passed); !ok) return ok;
  for (std::size_t i = 1;; ++i) {
    for (key& k : passed.all()) k = key::from_bits(kernel::next_hash(k.bits()));
    auto sorted = sort_distinct(passed.all(), threads_);
    if (!sorted) return sorted.error();
    if (sorted->keys.size() <= limits_.last_keys || i == ribbon_shape::max_layers)
      return finish(sorted->keys);
    sorted_keys next(sorted->keys);
    growing_array<key> further;
    if (auto ok = add_layer(next, i, further); !ok) return ok;
    passed = std::move(further);
  }
}

result<void> ribbon_layers::add_layer(sorted_keys& source, std::size_t number,
                                      growing_array<key>& passed) noexcept {
  const std::uint64_t keys = source.size();
  const std::uint32_t buckets =
      std::min(ribbon_buckets_for(keys, shape_.width), limits_.max_buckets);
  if (buckets == 0)
    return error{errc::too_large, "more keys than a ribbon filter can have", 0,
                 static_cast<double>(keys)};
  shape_.buckets[number] = buckets;
  const ribbon_layout all(shape_);
  const ribbon_layer& l = all.layer[number];
  if (auto ok = make_store(all.thresholds_at); !ok) return ok;
  const auto thresholds = thresholds_.extend(buckets);
  if (!thresholds) return thresholds.error();
  // About one key in 27 is passed on.
  if (auto ok = passed.reserve(static_cast<std::size_t>(keys / 22 + 4096)); !ok)
    return ok;

  const auto workers =
      static_cast<unsigned>(std::min<std::uint64_t>(threads_, l.segments));
  const auto row_bytes = static_cast<std::size_t>(
      (l.segment_slots * (all.column_bytes() + 4) + 63) / 64 * 64);
  auto rows = pages::make(workers * kernel::max_together * row_bytes);
  if (!rows) return rows.error();
  const std::uint64_t group =
      std::min<std::uint64_t>(8u * workers, segment_group::max_segments);
  const std::uint64_t segment_buckets = buckets / l.segments;
  pages room;
  std::uint64_t seen = 0;
  for (std::uint64_t first = 0; first < l.segments; first += group) {
    const std::uint64_t end = std::min(first + group, l.segments);
    const auto ks =
        source.take_below(end == l.segments ? 0 : first_hash(end, l.segments));
    if (!ks) return ks.error();
    seen += ks->size();
    if (room.size() < ks->size_bytes()) {
      auto more = pages::make(ks->size_bytes() + ks->size_bytes() / 8);
      if (!more) return more.error();
      room = *std::move(more);
    }
    segment_group some(all, number, first, end, *ks);
    if (!some.solve(workers, rows->data(), row_bytes, store_.data(),
                    thresholds->data() + first * segment_buckets,
                    reinterpret_cast<key*>(room.data())))
      return other_keys();
    for (const auto p : some.passed())
      if (auto ok = passed.append(p); !ok) return ok;
  }
  if (seen != keys) return other_keys();
  used_ = static_cast<std::size_t>(all.thresholds_at);
  return {};
}

// Layers that follow take some 4 % of the first, thresholds 2 bits per 128 slots: usually
// the first call is the only one that takes memory.
result<void> ribbon_layers::make_store(std::uint64_t size) noexcept {
  if (size <= store_.size()) return {};
  auto more = pages::make(static_cast<std::size_t>(size + size / 16 + 8192));
  if (!more) return more.error();
  if (used_ != 0) std::memcpy(more->data(), store_.data(), used_);
  store_ = *std::move(more);
  return {};
}

// The last part, and the thresholds before it.
result<void> ribbon_layers::finish(std::span<const key> left) noexcept {
  auto solved = solve_rest(left);
  if (!solved) return solved.error();
  if (!*solved)
    if (auto ok = keep_rest(left); !ok) return ok;
  const ribbon_layout all(shape_);
  std::byte* const thresholds = store_.data() + all.thresholds_at;
  const auto each = thresholds_.all();
  for (std::size_t i = 0; i < each.size(); ++i)
    thresholds[i / 4] |= static_cast<std::byte>(each[i] << (2 * (i % 4)));
  return store_.shorten(static_cast<std::size_t>(all.size_in_bytes));
}

// Sixteen seeds for each number of slots, of which half succeed; then more slots.
result<bool> ribbon_layers::solve_rest(std::span<const key> left) noexcept {
  constexpr unsigned seeds = 16, sizes = 16;
  if (left.size() > limits_.last_keys) return false;
  shape_.rest = ribbon_last_slots_for(left.size());
  if (left.empty()) {
    if (auto ok = make_store(ribbon_layout(shape_).size_in_bytes); !ok) return ok.error();
    return true;
  }
  auto rows = pages::make(12 * std::size_t{ribbon_shape::max_last_slots});
  if (!rows) return rows.error();
  for (unsigned size = 0; size < sizes; ++size) {
    const ribbon_layout all(shape_);
    if (auto ok = make_store(all.size_in_bytes); !ok) return ok.error();
    for (unsigned seed = 0; seed < seeds; ++seed) {
      shape_.seed = static_cast<std::uint8_t>(seed);
      if (kernel::solve_last_layer(ribbon_layout(shape_), left, rows->data(),
                                   store_.data()))
        return true;
    }
    shape_.rest += 1 + shape_.rest / 64;
  }
  shape_.seed = 0;
  return false;
}

result<void> ribbon_layers::keep_rest(std::span<const key> left) noexcept {
  if (left.size() > ~std::uint32_t{0})
    return error{errc::too_large, "more keys than can be kept whole", 0,
                 static_cast<double>(left.size()), 0x1p32 - 1};
  shape_.rest = static_cast<std::uint32_t>(left.size());
  shape_.keeps_hashes = true;
  const ribbon_layout all(shape_);
  if (auto ok = make_store(all.size_in_bytes); !ok) return ok;
  base::byte_writer out(store_.bytes().subspan(static_cast<std::size_t>(all.last_at)));
  for (const key k : left) out.write(k.bits());
  return {};
}

}  // namespace bloomery::inline v1
