#include <bloomery/build.hpp>

#include <algorithm>

namespace bloomery::inline v1 {
namespace {

// Beside the filter, for a range of keys.
constexpr std::uint64_t range_room = spool_options::min_memory;

built_filter noted(any_filter filter, const size_request& size, std::uint64_t keys,
                   std::span<const key> smallest) noexcept {
  built_filter built{std::move(filter), size.is_by_rate() ? size.rate() : 0, keys};
  built.sentinels.add(
      smallest.first(std::min(smallest.size(), sentinel_picker::max_keys)));
  return built;
}

// Sorted keys, each range reported before it is taken.
struct watched_keys {
  sorted_keys source;
  build_watch watch;
  std::uint64_t taken = 0;

  static result<std::span<const key>> take(void* context, std::uint64_t end) noexcept {
    auto& all = *static_cast<watched_keys*>(context);
    const auto seen = all.watch.call(all.watch.context, all.taken, all.source.size());
    if (!seen) return seen.error();
    const auto some = all.source.take_below(end);
    if (some) all.taken += some->size();
    return some;
  }
};

result<any_filter> build_watched(const kind_info& row, sorted_keys all,
                                 std::uint64_t keys, const size_request& size,
                                 const hasher& h, unsigned threads,
                                 build_watch watch) noexcept {
  if (watch.call == nullptr) return row.build_sorted(all, keys, size, h, threads);
  watched_keys watched{all, watch};
  sorted_keys source(all.size(), &watched, watched_keys::take, all.spare());
  return row.build_sorted(source, keys, size, h, threads);
}

// A kind that may refuse a key builds from all of them in its own way: in one step.
result<any_filter> build_in_memory(const kind_info& row, std::span<const key> all,
                                   std::uint64_t keys, const size_request& size,
                                   const hasher& h, unsigned threads,
                                   build_watch watch) noexcept {
  const bool in_ranges =
      row.can.has(capability::insert) || row.can.has(capability::build);
  if (watch.call != nullptr && in_ranges)
    return build_watched(row, sorted_keys(all), keys, size, h, threads, watch);
  if (watch.call != nullptr)
    if (const auto seen = watch.call(watch.context, 0, all.size()); !seen)
      return seen.error();
  return row.build(all, keys, size, h, threads);
}

result<built_filter> build_from(key_spool& spool, const kind_info& row,
                                const size_request& size, const hasher& h,
                                unsigned threads, std::uint64_t keys,
                                build_watch watch) noexcept {
  const auto count = spool.count(threads);
  if (!count) return count.error();
  if (keys == 0) keys = std::max<std::uint64_t>(1, *count);
  const auto layout = row.layout(keys, size);
  if (!layout) return layout.error();
  const std::uint64_t limit = spool.memory_limit();
  if (layout->bytes > limit - range_room / 2)
    return error{errc::too_large, "the filter does not fit the memory limit: raise it", 0,
                 static_cast<double>(limit),
                 static_cast<double>(layout->bytes) + static_cast<double>(range_room)};
  auto all = spool.sorted(layout->bytes, threads);
  if (!all) return all.error();
  auto filter = build_watched(row, *all, keys, size, h, threads, watch);
  if (!filter) return filter.error();
  return noted(*std::move(filter), size, *count, spool.smallest().all());
}

}  // namespace

result<filter_builder> filter_builder::make(const spool_options& limits) noexcept {
  auto spool = key_spool::make(limits);
  if (!spool) return spool.error();
  filter_builder made;
  made.spool_ = *std::move(spool);
  return made;
}

result<std::uint64_t> filter_builder::count(unsigned threads) noexcept {
  if (spool_) return spool_->count(threads);
  const auto all = keys_.all();
  if (!all) return all.error();
  return std::uint64_t{all->size()};
}

result<built_filter> filter_builder::finish(container_kind kind, const size_request& size,
                                            const hasher& h, unsigned threads,
                                            std::uint64_t keys,
                                            build_watch watch) noexcept {
  const kind_info* const row = find_kind(kind);
  if (row == nullptr)
    return error{errc::unsupported, "no kind of filter has this number", 0,
                 static_cast<double>(kind)};
  if (spool_) {
    auto built = build_from(*spool_, *row, size, h, threads, keys, watch);
    const auto cleared = spool_->clear();
    if (built && !cleared) return cleared.error();
    return built;
  }
  distinct_keys taken = std::move(keys_);
  keys_ = distinct_keys();
  const auto all = taken.all();
  if (!all) return all.error();
  if (keys == 0) keys = std::max<std::uint64_t>(1, all->size());
  auto filter = build_in_memory(*row, *all, keys, size, h, threads, watch);
  if (!filter) return filter.error();
  return noted(*std::move(filter), size, all->size(), *all);
}

}  // namespace bloomery::inline v1
