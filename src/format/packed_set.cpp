#include <bloomery/packed_set.hpp>

#include <algorithm>
#include <cassert>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>

#include "base/byte_reader.hpp"
#include "format/container/header.hpp"
#include "format/lookup_bytes.hpp"
#include "format/mapped_container.hpp"

namespace bloomery::inline v1 {
namespace {

// Blocks come first, then where each member's begin, and where the last one's end.
std::uint64_t directory_at(const container_facts& f) noexcept {
  return f.payload_bytes - 8 * (f.units + 1);
}
std::uint64_t block_bytes(const container_facts& f) noexcept {
  return block_shape{1, f.profile}.block_bytes();
}

}  // namespace

result<packed_set> packed_set::open(const input_file& file,
                                    const read_options& o) noexcept {
  const auto facts = inspect(file);
  if (!facts) return facts.error();
  const bool is_static = facts->kind == container_kind::packed_static;
  auto m = format::map_container(
      file, o, is_static ? container_kind::packed_static : container_kind::packed,
      is_static ? damage_rule::possibly_present : damage_rule::ones);
  if (!m) return m.error();
  if (!is_packed(m->facts.kind))
    return error{errc::incompatible, "a container of a single filter", 10};
  const auto h = format::hasher_of(m->facts, o);
  if (!h) return h.error();
  return packed_set(m->facts, *h, std::move(m->file), std::move(m->tail),
                    std::move(m->guard));
}

result<packed_set> packed_set::open(path_ref path, const read_options& o) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, open(*file, o));
}

bool packed_set::find(std::uint64_t i, std::uint64_t& first,
                      std::uint64_t& last) const noexcept {
  assert(i < size());
  const std::uint64_t at = directory_at(facts_) + 8 * i;
  guard_.need(at, 16);
  base::byte_reader in(
      file_.bytes().subspan(static_cast<std::size_t>(facts_.payload_at + at), 16));
  first = in.read<std::uint64_t>();
  last = in.read<std::uint64_t>();
  // A damaged chunk is all ones, which no place is.  The first member begins with the
  // payload and the last ends where the directory begins: else blocks are nobody's.
  const std::uint64_t blocks = directory_at(facts_) / block_bytes(facts_);
  return first <= last && last <= blocks && (i != 0 || first == 0) &&
         (i + 1 != size() || last == blocks);
}

bool packed_set::may_contain(std::uint64_t i, key k) const noexcept {
  if (is_static()) return static_may_contain(i, k);
  std::uint64_t first = 0, last = 0;
  if (!find(i, first, last)) return true;
  if (first == last) return false;
  const std::uint64_t start = first * block_bytes(facts_);
  format::with_layout(facts_.profile, [&](auto layout) noexcept {
    format::for_each_block(layout, last - first, k,
                           [&](std::uint64_t at) noexcept { guard_.need(start + at); });
  });
  const auto call =
      block_probe::resolved[static_cast<std::size_t>(facts_.profile)].may_contain.load();
  return call(file_.data() + facts_.payload_at + start, last - first, k.bits());
}

void packed_set::may_contain(std::uint64_t first, std::uint64_t count, key k,
                             std::span<std::uint64_t> out) const noexcept {
  detail::require(first <= size() && count <= size() - first,
                  "a packed set has fewer members than were queried");
  detail::require_answer_words(static_cast<std::size_t>(count), out.size());
  std::ranges::fill(out, 0);
  for (std::uint64_t j = 0; j < count; ++j)
    out[static_cast<std::size_t>(j / 64)] |=
        static_cast<std::uint64_t>(may_contain(first + j, k)) << (j % 64);
}

std::uint64_t packed_set::member_bytes(std::uint64_t i) const noexcept {
  if (is_static()) {
    container_facts member;
    return find_static(i, member) ? member.payload_bytes : 0;
  }
  std::uint64_t first = 0, last = 0;
  return find(i, first, last) ? (last - first) * block_bytes(facts_) : 0;
}

}  // namespace bloomery::inline v1
