#include <bloomery/window_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<window_bloom> window_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<window_bloom>(bytes);
}
result<window_bloom> window_bloom::load(path_ref path) noexcept {
  return load_container<window_bloom>(path);
}
result<pages> window_bloom::encode() const noexcept { return encode_container(*this); }
result<void> window_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
