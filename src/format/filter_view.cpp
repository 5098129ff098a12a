#include <bloomery/filter_view.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>

#include <bloomery/detail/probe/block_dispatch.hpp>

#include "base/byte_reader.hpp"
#include "filter/block_view.hpp"
#include "filter/hashed_groups.hpp"
#include "format/container/header.hpp"
#include "format/filter_access.hpp"
#include "format/lookup_bytes.hpp"
#include "format/mapped_container.hpp"

namespace bloomery::inline v1 {
namespace {

bool ask(const chunk_guard& guard, const block_storage& f, key k) noexcept {
  const block_shape shape = f.shape();
  format::with_layout(shape.profile, [&](auto layout) noexcept {
    format::for_each_block(layout, shape.blocks, k,
                           [&](std::uint64_t at) noexcept { guard.need(at); });
  });
  const auto call =
      block_probe::resolved[static_cast<std::size_t>(shape.profile)].may_contain.load(
          std::memory_order_relaxed);
  return call(f.bytes().data(), shape.blocks, k.bits());
}
bool ask(const chunk_guard& guard, const bloom& f, key k) noexcept {
  return format::all_set_checked(f.bytes().data(), bloom_probe(f.bits()).start(k),
                                 f.hashes(), f.bits(),
                                 [&](std::uint64_t at) noexcept { guard.need(at); });
}
bool ask(const chunk_guard& guard, const portable_bloom& f, key k) noexcept {
  return format::all_set_checked(f.bytes().data(), portable_probe(f.bits()).start(k),
                                 std::min<std::uint64_t>(f.hashes(), f.bits()), f.bits(),
                                 [&](std::uint64_t at) noexcept { guard.need(at); });
}

// Lines are fetched while it is looked up whether they may be believed, some keys ahead
// of those that are tested: they are there when the filter's own loop, which need not
// fetch any more, comes to them.  A few at a time, so that fetching never pauses for
// long.
constexpr std::size_t group = 8, ahead = 32;

template <class Layout>
void fetch_checked(Layout layout, const chunk_guard& guard, const block_storage& f,
                   std::span<const key> ks) noexcept {
  const std::byte* data = f.bytes().data();
  const std::uint64_t blocks = f.shape().blocks;
  bool known = true;
  for (const key k : ks)
    format::for_each_block(layout, blocks, k, [&](std::uint64_t at) noexcept {
      __builtin_prefetch(data + at);
      known &= guard.is_checked(at);
    });
  if (known) [[likely]]
    return;
  for (const key k : ks)
    format::for_each_block(layout, blocks, k,
                           [&](std::uint64_t at) noexcept { guard.need(at); });
}

void ask(const chunk_guard& guard, const block_storage& f, std::span<const key> ks,
         std::span<bool> out) noexcept {
  const block_shape shape = f.shape();
  const kernel::block_array in_cache{const_cast<std::byte*>(f.bytes().data()),
                                     shape.blocks, true};
  const auto group_at = [&](std::size_t i) noexcept {
    return i < ks.size() ? ks.subspan(i, std::min(group, ks.size() - i))
                         : std::span<const key>();
  };
  format::with_layout(shape.profile, [&](auto layout) noexcept {
    fetch_checked(layout, guard, f, ks.first(std::min(ahead, ks.size())));
    for (std::size_t i = 0; i < ks.size(); i += group) {
      fetch_checked(layout, guard, f, group_at(i + ahead));
      const auto some = group_at(i);
      loops_of(shape).query(in_cache, some.data(), some.size(), &out[i]);
    }
  });
}
template <class F>
requires(!std::derived_from<F, block_storage>) void ask(const chunk_guard& guard,
                                                        const F& f,
                                                        std::span<const key> ks,
                                                        std::span<bool> out) noexcept {
  for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
}

}  // namespace

template <class F>
result<filter_view<F>> filter_view<F>::open(const char* path,
                                            const read_options& o) noexcept {
  auto m = format::map_container(path, o, format::kind_of<F>());
  if (!m) return m.error();
  if (m->facts.kind != format::kind_of<F>())
    return error{errc::incompatible, "a container of another kind of filter", 10};
  const auto h = format::hasher_of(m->facts, o);
  if (!h) return h.error();
  F over = format::filter_access::adopt<F>(m->facts, *h, pages::borrow(m->payload()));
  base::byte_reader sentinels(m->tail.bytes());
  filter_view view(m->facts, std::move(m->file), std::move(m->tail), std::move(m->guard),
                   std::move(over));
  for (unsigned i = 0; i < view.facts_.sentinels; ++i)
    if (!view.may_contain(key::from_hash(sentinels.read<std::uint64_t>())))
      return error{errc::corrupt, "a sentinel key is missing: these are not its bits",
                   view.facts_.tail_at() + 8 * i};
  return view;
}

template <class F>
bool filter_view<F>::checked(key k) const noexcept {
  return ask(guard_, filter_, k);
}

template <class F>
void filter_view<F>::checked(std::span<const key> ks,
                             std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  ask(guard_, filter_, ks, out);
}

template <class F>
void filter_view<F>::checked(std::span<const std::string_view> ks,
                             std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  for_each_hashed_group(filter_.hasher(), ks,
                        [&](std::span<const key> some, std::size_t first) noexcept {
                          checked(some, out.subspan(first, some.size()));
                        });
}

template class filter_view<portable_bloom>;
template class filter_view<block_bloom>;
template class filter_view<split_block_bloom>;
template class filter_view<bloom>;

}  // namespace bloomery::inline v1
