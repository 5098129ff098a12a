#include <bloomery/scalable_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<scalable_bloom> scalable_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<scalable_bloom>(bytes);
}
result<scalable_bloom> scalable_bloom::load(path_ref path) noexcept {
  return load_container<scalable_bloom>(path);
}
result<pages> scalable_bloom::encode() const noexcept { return encode_container(*this); }
result<void> scalable_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
