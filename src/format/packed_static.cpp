// Lookups in a packed set of static filters.
#include <bloomery/packed_set.hpp>

#include <algorithm>
#include <cassert>

#include "format/container/reader.hpp"
#include "format/kind/row.hpp"
#include "format/static_member.hpp"

namespace bloomery::inline v1 {
namespace {

// Room for a filter of any kind.
template <class... Fs>
consteval std::size_t max_size(detail::type_list<Fs...>) {
  return std::max({sizeof(Fs)...});
}

}  // namespace

// Nothing here is used before its chunk is checked, and then only if a header with these
// numbers would be accepted.
bool packed_set::find_static(std::uint64_t i, container_facts& member) const noexcept {
  using format::static_member;
  assert(i < size());
  constexpr std::uint64_t entry = static_member::entry_bytes;
  const std::uint64_t directory = facts_.payload_bytes - entry * size();
  const std::uint64_t at = directory + entry * i, from = i == 0 ? at : at - entry;
  if (!guard_.need(from, at + entry - from)) return false;
  const auto bytes = file_.bytes().subspan(static_cast<std::size_t>(facts_.payload_at));
  const auto entry_at = [&](std::uint64_t place) noexcept {
    return static_member::decode(bytes.subspan(static_cast<std::size_t>(place), entry));
  };
  const static_member found = entry_at(at);
  const std::uint64_t before = i == 0 ? 0 : entry_at(from).end;
  if (!found.is_clean || found.end > directory || before > found.end) return false;
  const std::uint64_t begin = static_member::begin_after(before);
  const bool is_last = i + 1 == size();
  if (begin > found.end ||
      (is_last && static_member::begin_after(found.end) != directory))
    return false;
  member = found.facts;
  member.kind = member.member = facts_.member;
  member.profile = block_profile::by_rate;
  member.hash = facts_.hash;
  member.seed = facts_.seed;
  member.payload_at = begin;
  member.payload_bytes = found.end - begin;
  const format::kind_calls& row = *format::find_calls(facts_.member);
  const auto unused = std::span(member.parameters).subspan(row.facts->parameter_bytes);
  return format::all_zero(unused) && row.check(member).has_value();
}

bool packed_set::static_may_contain(std::uint64_t i, key k) const noexcept {
  container_facts member;
  if (!find_static(i, member)) return true;
  if (member.payload_bytes != 0 && !guard_.need(member.payload_at, member.payload_bytes))
    return true;
  const auto bytes = file_.bytes().subspan(
      static_cast<std::size_t>(facts_.payload_at + member.payload_at),
      static_cast<std::size_t>(member.payload_bytes));
  // A filter of a static kind never writes to its bytes.
  auto* const data = const_cast<std::byte*>(bytes.data());
  const format::kind_calls& row = *format::find_calls(facts_.member);
  alignas(64) std::byte room[max_size(filter_types{})];
  row.adopt(room, member, hasher_, pages::borrow({data, bytes.size()}), damage_set());
  const bool found = row.may_contain(room, k);
  row.destroy(room);
  return found;
}

}  // namespace bloomery::inline v1
