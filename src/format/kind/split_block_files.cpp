#include <bloomery/split_block_bloom.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<split_block_bloom> split_block_bloom::decode(
    std::span<const std::byte> bytes) noexcept {
  return decode_container<split_block_bloom>(bytes);
}
result<split_block_bloom> split_block_bloom::load(path_ref path) noexcept {
  return load_container<split_block_bloom>(path);
}
result<pages> split_block_bloom::encode() const noexcept {
  return encode_container(*this);
}
result<void> split_block_bloom::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
