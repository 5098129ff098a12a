#include <bloomery/quotient.hpp>

#include <bloomery/container.hpp>

namespace bloomery::inline v1 {

result<quotient> quotient::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<quotient>(bytes);
}
result<quotient> quotient::load(path_ref path) noexcept {
  return load_container<quotient>(path);
}
result<pages> quotient::encode() const noexcept { return encode_container(*this); }
result<void> quotient::save(path_ref path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
