#include "format/dialect/own_table_filter.hpp"

#include <algorithm>
#include <array>

#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>

#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/kind/row.hpp"
#include "format/table_filter.hpp"

namespace bloomery::format {
namespace {

// use(the filter), whose payload these are; an error if the bytes are none that is known.
template <class Use>  // result<...>(const F&)
auto with_filter(std::span<const std::byte> bytes, std::span<const std::byte> payload,
                 Use use) noexcept {
  const container_kind kind = table_filter_kind(bytes);
  return with_kind(kind, [&]<class F>(std::type_identity<F>) -> result<double> {
    const auto facts = table_filter_facts(kind, bytes);
    if (!facts) return facts.error();
    auto* const data = const_cast<std::byte*>(payload.data());  // it is only asked
    const auto f = detail::made_in_place<F>([&](void* where) noexcept -> result<void> {
      find_calls(kind)->adopt(
          where, *facts, hasher::xxh3(),
          pages::borrow({data, static_cast<std::size_t>(facts->payload_bytes)}),
          damage_set());
      return {};
    });
    if (!f) return f.error();
    return use(*f);
  });
}

// The same over a copy that begins at a line: what counts all bits reads whole words.
template <class Use>
result<double> with_copy(std::span<const std::byte> bytes, Use use) noexcept {
  const auto copy = copied(bytes);
  if (!copy) return copy.error();
  return with_filter(bytes, copy->bytes(), use);
}

}  // namespace

bool is_own_table_filter(std::span<const std::byte> bytes) noexcept {
  constexpr std::array mark{std::byte{'b'}, std::byte{'l'}, std::byte{'m'}};
  return bytes.size() >= 13 && bytes[bytes.size() - 5] == std::byte{0} &&
         std::ranges::equal(bytes.last(mark.size()), mark);
}

result<own_table_shape> inspect_own_table_filter(
    std::span<const std::byte> bytes) noexcept {
  own_table_shape s;
  const container_kind kind = table_filter_kind(bytes);
  if (kind == container_kind::foreign) return s;
  const auto facts = table_filter_facts(kind, bytes);
  if (!facts) return facts.error();
  if (!table_filter_is_whole(bytes))
    return damaged("a filter of Bloomery does not match its checksum", bytes.size() - 13);
  s.name = find_kind(kind)->facts.name;
  s.bits = 8 * facts->payload_bytes;
  s.hashes = facts->hashes;
  return s;
}

bool own_table_may_contain(std::span<const std::byte> bytes,
                           std::string_view key) noexcept {
  const auto found = with_filter(bytes, bytes, [&](const auto& f) -> result<double> {
    return f.may_contain(hasher::xxh3().hash(key)) ? 1.0 : 0.0;
  });
  return !found || *found != 0;
}

census own_table_count(std::span<const std::byte> bytes) noexcept {
  census c;
  (void)with_copy(bytes, [&](const auto& f) -> result<double> {
    c.cells = 8 * static_cast<double>(f.size_in_bytes());
    c.occupied = f.fill() * c.cells;
    c.keys = f.estimated_keys();
    return 0.0;
  });
  return c;
}

double own_table_rate(std::span<const std::byte> bytes) noexcept {
  const auto rate =
      with_copy(bytes, [](const auto& f) -> result<double> { return f.realised_fpr(); });
  return rate ? *rate : 1;
}

}  // namespace bloomery::format
