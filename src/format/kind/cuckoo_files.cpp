#include <bloomery/cuckoo.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<cuckoo> cuckoo::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<cuckoo>(bytes);
}
result<cuckoo> cuckoo::load(path_ref path) noexcept {
  return load_container<cuckoo>(path);
}
result<pages> cuckoo::encode() const noexcept { return encode_container(*this); }
result<void> cuckoo::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
