#include <bloomery/stable_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<stable_bloom> stable_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<stable_bloom>(bytes);
}
result<stable_bloom> stable_bloom::load(path_ref path) noexcept {
  return load_container<stable_bloom>(path);
}
result<pages> stable_bloom::encode() const noexcept { return encode_container(*this); }
result<void> stable_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
