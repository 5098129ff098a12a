#include <bloomery/ribbon.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<ribbon> ribbon::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<ribbon>(bytes);
}
result<ribbon> ribbon::load(path_ref path) noexcept {
  return load_container<ribbon>(path);
}
result<pages> ribbon::encode() const noexcept { return encode_container(*this); }
result<void> ribbon::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
