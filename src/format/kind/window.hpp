// The row of the window filter.
#pragma once

#include <algorithm>
#include <cmath>

#include <bloomery/model.hpp>
#include <bloomery/window_bloom.hpp>
#include <bloomery/window_sizing.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/block.hpp"
#include "format/kind/row.hpp"
#include "format/lookup_bytes.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<window_bloom> {
  // As in the header, from byte 100 on (spec/container.md, section 3).
  struct parameters {
    std::uint32_t generations, current;
    std::uint64_t generation_keys, count;
  };
  static constexpr std::uint64_t generations_at = 100, current_at = 104, count_at = 116;
  static parameters parameters_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    parameters p{};
    p.generations = in.read<std::uint32_t>();
    p.current = in.read<std::uint32_t>();
    p.generation_keys = in.read<std::uint64_t>();
    p.count = in.read<std::uint64_t>();
    return p;
  }

  static result<void> check(const container_facts& f) noexcept {
    const parameters p = parameters_of(f);
    const block_shape all{f.units, f.profile};
    const window_shape s{{0, f.profile}, p.generations, p.generation_keys};
    if (auto ok = check_profile(f, s.has_profile()); !ok) return ok;
    if (f.units == 0 || f.units > all.max_blocks())
      return wrong_field("an impossible number of blocks", 24);
    if (!s.has_generations())
      return wrong_field("an impossible number of generations", generations_at);
    if (f.units % p.generations != 0)
      return wrong_field("the blocks are no multiple of the generations", 24);
    if (p.current >= p.generations)
      return wrong_field("the current generation is none of them", current_at);
    if (p.generation_keys != 0 && p.count > p.generation_keys)
      return wrong_field("more keys than a generation takes", count_at);
    if (f.payload_bytes != all.size_in_bytes())
      return wrong_field("the length of the payload is not that of its blocks", 80);
    return {};
  }
  static container_facts describe(const window_bloom& f) noexcept {
    const window_shape s = f.shape();
    container_facts c;
    c.profile = s.one.profile;
    c.hashes = s.one.hashes();
    c.units = s.all().blocks;
    base::byte_writer out(c.parameters);
    out.write(static_cast<std::uint32_t>(s.generations));
    out.write(static_cast<std::uint32_t>(f.current()));
    out.write(s.generation_keys);
    out.write(f.count());
    return c;
  }
  static window_bloom adopt(const container_facts& f, const hasher& h, pages store,
                            damage_set) noexcept {
    const parameters p = parameters_of(f);
    const window_shape s{
        {f.units / p.generations, f.profile}, p.generations, p.generation_keys};
    return filter_access::make<window_bloom>(s, f.capacity, h, p.current, p.count,
                                             std::move(store));
  }

  // The blocks of the key in every generation.
  static void need(const chunk_guard& guard, const window_shape& s, key k) noexcept {
    with_layout(s.one.profile, [&](auto layout) noexcept {
      for_each_block(layout, s.one.blocks, k, [&](std::uint64_t at) noexcept {
        for (unsigned g = 0; g < s.generations; ++g)
          guard.need(g * s.one.size_in_bytes() + at);
      });
    });
  }
  static bool ask(const chunk_guard& guard, const window_bloom& f, key k) noexcept {
    need(guard, f.shape(), k);
    return f.may_contain(k);
  }
  static void ask(const chunk_guard& guard, const window_bloom& f,
                  std::span<const key> ks, std::span<bool> out) noexcept {
    for (const key k : ks) need(guard, f.shape(), k);
    f.may_contain(ks, out);
  }

  static constexpr double min_bytes =
      2 * block_shape{1, block_profile::half_line}.block_bytes();
  static constexpr double max_bytes =
      blocks_row<block_bloom>::max_bytes_of(block_profile::line);
  static filter_size size_of(const window_shape& s) noexcept {
    const block_shape all = s.all();
    return {.units = all.blocks,
            .hashes = all.hashes(),
            .profile = all.profile,
            .generations = s.generations,
            .generation_keys = s.generation_keys,
            .bits = all.bits(),
            .bytes = all.size_in_bytes()};
  }
  static window_shape shape_of(const filter_size& s) noexcept {
    return {{s.units / s.generations, s.profile}, s.generations, s.generation_keys};
  }
  static result<window_shape> exactly(std::uint64_t keys,
                                      const size_request& r) noexcept {
    if (r.profile == block_profile::by_rate)
      return error{errc::invalid_argument, "an exact layout names its profile"};
    const unsigned generations = r.generation_count();
    if (generations >= 2 && r.exact->units % generations != 0)
      return error{errc::invalid_argument,
                   "the blocks are no multiple of the generations", 0,
                   static_cast<double>(r.exact->units), static_cast<double>(generations)};
    const window_shape s{{generations < 2 ? 0 : r.exact->units / generations, r.profile},
                         generations,
                         generations < 2 ? 0 : generation_share(keys, generations)};
    if (auto ok = check_window_shape(s); !ok) return ok.error();
    return s;
  }
  static result<window_shape> shape(std::uint64_t keys, const size_request& r) noexcept {
    const unsigned generations = r.generation_count();
    if (r.exact) return exactly(keys, r);
    if (r.memory) return size_window_by_memory(keys, *r.memory, generations, r.profile);
    if (!r.bits_per_key)
      return size_window_by_rate(keys, r.rate(), generations, r.profile);
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double bytes = std::ceil(static_cast<double>(keys) * *r.bits_per_key / 8);
    if (!(bytes <= 0x1p62))
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
    // A few keys still take a whole block in each.
    const std::uint64_t least =
        std::uint64_t{generations} * block_shape{1, r.profile}.block_bytes();
    return size_window_by_memory(keys,
                                 std::max(least, model::saturated<std::uint64_t>(bytes)),
                                 generations, r.profile);
  }
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.profile == block_profile::lanes16)
      return error{errc::unsupported, "a profile that the kind does not have"};
    const auto s = shape(keys, r);
    if (!s) return s.error();
    return size_of(*s);
  }
  static double expected_fpr(const filter_size& s, std::uint64_t keys) noexcept {
    const window_shape w = shape_of(s);
    return model::window_fpr(w.one, w.generations, w.generation_keys, keys);
  }
  static result<window_bloom> make(const filter_size& s, std::uint64_t keys,
                                   const size_request&, const hasher& h) noexcept {
    return window_bloom::make(shape_of(s), keys, h);
  }
};

}  // namespace bloomery::format
