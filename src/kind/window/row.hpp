// The row of the window filter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <bloomery/detail/kind/window/sizing.hpp>
#include <bloomery/model.hpp>
#include <bloomery/window_bloom.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/blocks.hpp"
#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"
#include "format/lookup_bytes.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<window_bloom> : row_defaults {
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
  using layout = window_shape;
  static filter_size measure(const window_shape& s) noexcept {
    const block_shape all = s.all();
    return {.units = all.blocks, .bits = all.bits(), .bytes = all.size_in_bytes()};
  }
  static header_layout header_of(const window_shape& s) noexcept {
    return {s.one.hashes(), s.one.profile};
  }
  static constexpr bool sized_in_bits = false;

  static constexpr kind_option profile = profile_option(3);
  static constexpr kind_option generations{
      .name = "generations",
      .type = option_type::count,
      .help = "parts that are forgotten one after the other",
      .min = 2,
      .max = window_shape::max_generations,
      .preset = 4};
  static constexpr std::array options{profile, generations};
  static unsigned generations_of(const size_request& r) noexcept {
    return static_cast<unsigned>(r.options.value(generations));
  }

  // The newest first.
  static unsigned generation(const window_bloom& f, std::size_t row) noexcept {
    const unsigned all = f.generations();
    return (f.current() + all - static_cast<unsigned>(row)) % all;
  }
  using field = fields_of<window_bloom>;
  static constexpr field::type rates[] = {
      field::layout("generation", "number", "its place in the file",
                    [](const window_bloom& f, const no_census&, std::size_t row) {
                      return generation(f, row);
                    }),
      field::counted("keys_estimate", "keys", "keys in it, from its bits",
                     [](const window_bloom& f, const no_census&, std::size_t row) {
                       return f.estimated_keys(generation(f, row));
                     }),
      field::rate("realised_fpr", "rate", "its own rate, from its bits",
                  [](const window_bloom& f, const no_census&, std::size_t row) {
                    return f.realised_fpr(generation(f, row));
                  })};
  static constexpr std::array fields{
      field::layout("profile", "", "how the bits of a key lie in cache lines",
                    [](const window_bloom& f) { return name_of(f.shape().one.profile); }),
      field::layout("hashes", "", "bits that each key sets in a generation",
                    [](const window_bloom& f) { return f.shape().one.hashes(); }),
      field::layout("blocks", "", "blocks of all generations",
                    [](const window_bloom& f) { return f.shape().all().blocks; }),
      field::layout("generations", "", "parts that are forgotten one after the other",
                    [](const window_bloom& f) { return f.generations(); }),
      field::layout("generation_keys", "keys",
                    "inserts into each; 0: they change by call",
                    [](const window_bloom& f) { return f.shape().generation_keys; }),
      field::layout("current", "number", "the generation that takes inserts",
                    [](const window_bloom& f) { return f.current(); }),
      field::layout("current_keys", "keys", "inserts into it so far",
                    [](const window_bloom& f) { return f.count(); }),
      field::layout("retained", "keys", "the newest keys, which it finds for certain",
                    [](const window_bloom& f) {
                      return f.shape().generation_keys != 0
                                 ? field_value::of(f.retained())
                                 : field_value::unknown();
                    }),
      field::table("generation_rates", "each generation, the newest first",
                   field_group::rates, rates,
                   [](const window_bloom& f) { return std::size_t{f.generations()}; })};
  static result<window_shape> exactly(std::uint64_t keys,
                                      const size_request& r) noexcept {
    const block_profile blocks = profile_of(r, profile);
    if (blocks == block_profile::by_rate)
      return error{errc::invalid_argument, "an exact layout names its profile"};
    const unsigned n = generations_of(r);
    if (r.exact->units % n != 0)
      return error{errc::invalid_argument,
                   "the blocks are no multiple of the generations", 0,
                   static_cast<double>(r.exact->units), static_cast<double>(n)};
    const window_shape s{{r.exact->units / n, blocks}, n, generation_share(keys, n)};
    if (auto ok = check_window_shape(s); !ok) return ok.error();
    return s;
  }
  static result<window_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    const unsigned n = generations_of(r);
    const block_profile blocks = profile_of(r, profile);
    if (r.exact) return exactly(keys, r);
    if (r.memory) return size_window_by_memory(keys, *r.memory, n, blocks);
    if (!r.bits_per_key) return size_window_by_rate(keys, r.rate(), n, blocks);
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double bytes = std::ceil(static_cast<double>(keys) * *r.bits_per_key / 8);
    if (!(bytes <= 0x1p62))
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
    // A few keys still take a whole block in each.
    const std::uint64_t least = std::uint64_t{n} * block_shape{1, blocks}.block_bytes();
    return size_window_by_memory(
        keys, std::max(least, model::saturated<std::uint64_t>(bytes)), n, blocks);
  }
  static double expected_fpr(const window_shape& w, std::uint64_t keys) noexcept {
    return model::window_fpr(w.one, w.generations, w.generation_keys, keys);
  }
  // All generations are full; of one that changes them by call, `keys` in one of them.
  static std::uint64_t design_keys(const window_shape& w, std::uint64_t keys) noexcept {
    return w.generation_keys == 0
               ? keys
               : model::saturated<std::uint64_t>(static_cast<double>(w.generation_keys) *
                                                 w.generations);
  }
  static std::uint64_t design_keys(const window_bloom& f) noexcept {
    return design_keys(f.shape(), f.capacity());
  }
  static result<window_bloom> make(const window_shape& s, std::uint64_t keys,
                                   const size_request&, const hasher& h) noexcept {
    return window_bloom::make(s, keys, h);
  }
};

}  // namespace bloomery::format
