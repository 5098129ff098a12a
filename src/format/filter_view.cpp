#include <bloomery/filter_view.hpp>

#include <bloomery/detail/base/contract.hpp>

#include "base/byte_reader.hpp"
#include "format/container/header.hpp"
#include "format/kind/row.hpp"
#include "format/mapped_container.hpp"
#include "format/mapped_filter.hpp"

namespace bloomery::format {

result<void> map_filter(const kind_calls& row, const input_file& file,
                        const read_options& o,
                        std::optional<detail::mapped_filter>& mapped,
                        void* where) noexcept {
  const container_kind kind = row.facts->number;
  auto m = map_container(file, o, kind, row.facts->damage);
  if (!m) return m.error();
  if (m->facts.kind != kind)
    return error{errc::incompatible, "a container of another kind of filter", 10};
  const auto h = hasher_of(m->facts, o);
  if (!h) return h.error();
  row.adopt(where, m->facts, *h, pages::borrow(m->payload()), m->guard.found_damage());
  base::byte_reader sentinels(m->tail.bytes());
  for (unsigned i = 0; i < m->facts.sentinels; ++i)
    if (!row.ask_one(m->guard, where, key::from_bits(sentinels.read<std::uint64_t>()))) {
      row.destroy(where);
      return error{errc::corrupt, "a sentinel key is missing: these are not its bits",
                   m->facts.tail_at() + 8 * i};
    }
  mapped.emplace(detail::mapped_filter{m->facts, std::move(m->file), std::move(m->tail),
                                       std::move(m->guard)});
  return {};
}

}  // namespace bloomery::format

namespace bloomery::inline v1::detail {

result<void> map_filter(container_kind kind, const input_file& file,
                        const read_options& o, std::optional<mapped_filter>& mapped,
                        void* where) noexcept {
  return format::map_filter(*format::find_calls(kind), file, o, mapped, where);
}

bool ask_checked(container_kind kind, const chunk_guard& guard, const void* filter,
                 key k) noexcept {
  return format::find_calls(kind)->ask_one(guard, filter, k);
}

void ask_checked(container_kind kind, const chunk_guard& guard, const void* filter,
                 std::span<const key> ks, std::span<bool> out) noexcept {
  require_answers(ks.size(), out.size());
  format::find_calls(kind)->ask_many(guard, filter, ks, out);
}

}  // namespace bloomery::inline v1::detail
