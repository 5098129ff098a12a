#include <bloomery/partitioned_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<partitioned_bloom> partitioned_bloom::decode(
    std::span<const std::byte> bytes) noexcept {
  return decode_container<partitioned_bloom>(bytes);
}
result<partitioned_bloom> partitioned_bloom::load(path_ref path) noexcept {
  return load_container<partitioned_bloom>(path);
}
result<pages> partitioned_bloom::encode() const noexcept {
  return encode_container(*this);
}
result<void> partitioned_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
