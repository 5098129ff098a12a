#include <bloomery/bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<bloom> bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<bloom>(bytes);
}
result<bloom> bloom::load(path_ref path) noexcept { return load_container<bloom>(path); }
result<pages> bloom::encode() const noexcept { return encode_container(*this); }
result<void> bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
