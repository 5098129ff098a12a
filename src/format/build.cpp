#include <bloomery/build.hpp>

#include <algorithm>

namespace bloomery::inline v1 {

result<built_filter> filter_builder::finish(container_kind kind, const size_request& size,
                                            const hasher& h, unsigned threads,
                                            std::uint64_t keys) noexcept {
  const kind_info* const row = find_kind(kind);
  if (row == nullptr)
    return error{errc::unsupported, "no kind of filter has this number", 0,
                 static_cast<double>(kind)};
  distinct_keys taken = std::move(keys_);
  keys_ = distinct_keys();
  const auto all = taken.all();
  if (!all) return all.error();
  if (keys == 0) keys = std::max<std::uint64_t>(1, all->size());
  auto filter = row->build(*all, keys, size, h, threads);
  if (!filter) return filter.error();
  built_filter built{*std::move(filter)};
  built.asked_fpr = size.is_by_rate() ? size.rate() : 0;
  built.keys = all->size();
  built.sentinels.add(all->first(std::min(all->size(), sentinel_picker::max_keys)));
  return built;
}

}  // namespace bloomery::inline v1
