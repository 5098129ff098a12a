#include <bloomery/counting_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<counting_bloom> counting_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<counting_bloom>(bytes);
}
result<counting_bloom> counting_bloom::load(path_ref path) noexcept {
  return load_container<counting_bloom>(path);
}
result<pages> counting_bloom::encode() const noexcept { return encode_container(*this); }
result<void> counting_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
