#include <bloomery/block_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<block_bloom> block_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<block_bloom>(bytes);
}
result<block_bloom> block_bloom::load(path_ref path) noexcept {
  return load_container<block_bloom>(path);
}
result<pages> block_bloom::encode() const noexcept { return encode_container(*this); }
result<void> block_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
