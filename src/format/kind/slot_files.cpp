// The files of fuse and xor filters.
#include <bloomery/container.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/xor_filter.hpp>

namespace bloomery::inline v1 {

template <class F, class Rule>
result<F> slot_filter<F, Rule>::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<F>(bytes);
}
template <class F, class Rule>
result<F> slot_filter<F, Rule>::load(path_ref path) noexcept {
  return load_container<F>(path);
}
template <class F, class Rule>
result<pages> slot_filter<F, Rule>::encode() const noexcept {
  return encode_container(static_cast<const F&>(*this));
}
template <class F, class Rule>
result<void> slot_filter<F, Rule>::save(path_ref path) const noexcept {
  return save_container(static_cast<const F&>(*this), path);
}

template class slot_filter<fuse, fuse_rule>;
template class slot_filter<xor_filter, xor_rule>;

}  // namespace bloomery::inline v1
