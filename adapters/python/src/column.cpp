#include "column.hpp"

#include <cassert>

namespace bloomery::py {

void column::texts(std::size_t, std::span<std::string_view>) const noexcept {
  assert(false && "a column of integers");
}

void column::integers(std::size_t, std::span<std::uint64_t>) const noexcept {
  assert(false && "a column of texts");
}

void column::valid(std::size_t, std::span<bool>) const noexcept {
  assert(false && "a column without nulls");
}

void column::keys(const hasher& h, std::size_t first, std::span<key> out) const noexcept {
  if (sort_ == sort::texts) {
    std::array<std::string_view, group_size> group;
    const auto some = std::span(group).first(out.size());
    texts(first, some);
    return h.hash(std::span<const std::string_view>(some), out);
  }
  std::array<std::uint64_t, group_size> group;
  const auto some = std::span(group).first(out.size());
  integers(first, some);
  if (h.source() == key_source::integers)
    return h.hash_u64(std::span<const std::uint64_t>(some), out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = h.from_hash(some[i]);
}

}  // namespace bloomery::py
