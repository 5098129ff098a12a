#include <algorithm>
#include <cstring>

#include <bloomery/detail/filter/range_builds.hpp>

namespace bloomery::inline v1::detail {

result<void> key_buffer::reserve(std::size_t keys) noexcept {
  if (keys > max_keys) return error{errc::too_large, "more keys than memory can address"};
  if (keys * sizeof(key) <= store_.size()) return {};
  auto larger = pages::make(keys * sizeof(key));
  if (!larger) return larger.error();
  if (count_ != 0) std::memcpy(larger->data(), store_.data(), count_ * sizeof(key));
  store_ = *std::move(larger);
  return {};
}

result<void> key_buffer::add(std::span<const key> ks) noexcept {
  const std::size_t room = store_.size() / sizeof(key);
  if (ks.size() > room - count_) {
    const std::size_t grown = std::max<std::size_t>(2 * room, 4096);
    if (auto made = reserve(std::max(grown, count_ + ks.size())); !made) return made;
  }
  std::memcpy(store_.data() + count_ * sizeof(key), ks.data(), ks.size_bytes());
  count_ += ks.size();
  return {};
}

std::span<const key> key_buffer::all() const noexcept {
  return {reinterpret_cast<const key*>(store_.data()), count_};
}

}  // namespace bloomery::inline v1::detail
