#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <bloomery/block_sizing.hpp>
#include <bloomery/bloom_sizing.hpp>
#include <bloomery/model.hpp>

#include "hashing.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

constexpr double default_fpr = 0.01;

error unsupported(const char* what) noexcept { return {errc::unsupported, what}; }
error invalid(const char* what) noexcept { return {errc::invalid_argument, what}; }

bool has_blocks(std::uint32_t kind) noexcept {
  return kind == BLOOMERY_KIND_BLOCK || kind == BLOOMERY_KIND_SPLIT_BLOCK;
}

bool is_exact(const bloomery_options& o) noexcept {
  return o.bits != 0 || o.hashes != 0 || o.blocks != 0;
}

// What the kind does not take, and more than one rule.
result<void> check(const bloomery_options& o) noexcept {
  constexpr std::uint32_t known_flags = BLOOMERY_FORCE | BLOOMERY_FOLDABLE;
  if (o.kind < BLOOMERY_KIND_PORTABLE || o.kind > BLOOMERY_KIND_BLOOM)
    return unsupported("no kind of filter of that number");
  const int rules = (o.fpr != 0) + (o.bits_per_key != 0) + (o.memory != 0) + is_exact(o);
  if (rules > 1) return invalid("more than one rule to size the filter by");
  if ((o.flags & ~known_flags) != 0 || o.reserved != 0)
    return unsupported("a flag that this version does not know");
  if ((o.flags & BLOOMERY_FORCE) != 0 && o.kind != BLOOMERY_KIND_PORTABLE)
    return unsupported("only a portable filter can be forced");
  if ((o.flags & BLOOMERY_FOLDABLE) != 0 &&
      (o.kind != BLOOMERY_KIND_BLOCK || (rules == 1 && o.fpr == 0)))
    return unsupported("only a block filter sized by rate can be made foldable");
  if (o.kind == BLOOMERY_KIND_BLOCK
          ? o.profile > BLOOMERY_PROFILE_TWO_LINES
          : o.profile != 0 && (o.kind != BLOOMERY_KIND_SPLIT_BLOCK ||
                               o.profile != BLOOMERY_PROFILE_SPLIT))
    return unsupported("a profile that the kind does not have");
  if (is_exact(o) && (has_blocks(o.kind) ? o.bits != 0 || o.hashes != 0 : o.blocks != 0))
    return invalid("an exact layout is bits and hashes, or blocks, by the kind");
  return {};
}

result<hasher> hash_for(const bloomery_options& o) noexcept {
  const bool is_portable = o.kind == BLOOMERY_KIND_PORTABLE;
  const bool is_split = o.kind == BLOOMERY_KIND_SPLIT_BLOCK;
  const hasher own = is_portable ? hasher::fnv1a_splitmix()
                     : is_split  ? hasher::xxh64()
                                 : hasher::xxh3();
  const auto h = hasher_of(o.hasher, own);
  if (h && (is_portable || is_split) && *h != own)
    return unsupported("the kind has a hash of its own, and takes no other");
  return h;
}

result<bloom_layout> portable_layout(const bloomery_options& o) noexcept {
  if (is_exact(o)) return bloom_layout{o.bits, o.hashes};
  if (o.memory != 0) return size_by_memory(o.keys, o.memory);
  if (o.bits_per_key != 0) return size_by_bits_per_key(o.keys, o.bits_per_key);
  return size_by_rate(o.keys, o.fpr);
}

result<bloom_layout> bloom_layout_of(const bloomery_options& o) noexcept {
  if (is_exact(o)) return bloom_layout{o.bits, o.hashes};
  constexpr double most = 0x1p62;
  const double bits = o.memory != 0
                          ? 8 * static_cast<double>(o.memory)
                          : std::ceil(static_cast<double>(o.keys) * o.bits_per_key);
  if (o.memory == 0 && o.bits_per_key == 0) return size_bloom_by_rate(o.keys, o.fpr);
  if (!(bits >= 1)) return invalid("less than one bit");
  if (bits > most)
    return error{errc::too_large, "more bits than a filter can have", 0, bits};
  return size_bloom_by_bits(
      o.keys, o.memory != 0 ? 8 * o.memory : static_cast<std::uint64_t>(bits));
}

// By bits a key a few keys still take a whole block.
result<block_shape> shape_of(const bloomery_options& o, block_profile profile) noexcept {
  if (is_exact(o)) return block_shape{o.blocks, profile};
  if (o.memory != 0) return size_blocks_by_memory(o.keys, o.memory, profile);
  if (o.bits_per_key != 0) {
    const double bytes = std::ceil(static_cast<double>(o.keys) * o.bits_per_key / 8);
    if (!(bytes >= 1)) return invalid("less than one bit");
    if (bytes > 0x1p62)
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
    const std::uint64_t one_block = block_shape{1, profile}.block_bytes();
    return size_blocks_by_memory(
        o.keys, std::max(one_block, static_cast<std::uint64_t>(bytes)), profile);
  }
  auto shape = size_blocks_by_rate(o.keys, o.fpr, profile);
  if (shape && (o.flags & BLOOMERY_FOLDABLE) != 0)
    shape->blocks = foldable_blocks(shape->blocks);
  return shape;
}

result<void> check_layout(bloom_layout l) noexcept {
  if (l.bits == 0 || l.hashes == 0)
    return invalid("a filter needs at least one bit and one hash");
  return {};
}

// The limits of the kinds' own make, for plans that are never made.
result<void> check_shape(block_shape s) noexcept {
  if (s.profile == block_profile::by_rate)
    return invalid("an exact layout names its profile");
  if (s.blocks == 0) return invalid("a filter needs at least one block");
  if (s.blocks > s.most_blocks())
    return error{errc::too_large, "more blocks than a filter can have", 0,
                 static_cast<double>(s.blocks), static_cast<double>(s.most_blocks())};
  return {};
}

double expected_fpr(const plan& p) noexcept {
  if (p.keys == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto keys = static_cast<double>(p.keys);
  if (has_blocks(p.kind)) return model::block_fpr(p.shape, keys);
  const auto [bits, hashes] = p.layout;
  if (p.kind == BLOOMERY_KIND_BLOOM)
    return model::remixed_fpr(static_cast<double>(bits), hashes, keys);
  return bloomery_portable_expected_fpr(bits, hashes, p.keys);
}

}  // namespace

result<plan> plan_of(const bloomery_options* options) noexcept {
  auto read = read_struct(options);
  if (!read) return read.error();
  bloomery_options o = *read;
  if (o.kind == BLOOMERY_KIND_DEFAULT) o.kind = BLOOMERY_KIND_BLOCK;
  if (auto ok = check(o); !ok) return ok.error();
  if (!is_exact(o) && o.bits_per_key == 0 && o.memory == 0 && o.fpr == 0)
    o.fpr = default_fpr;
  const auto h = hash_for(o);
  if (!h) return h.error();
  plan p{.kind = o.kind,
         .keys = o.keys,
         .fpr = o.fpr,
         .force = (o.flags & BLOOMERY_FORCE) != 0,
         .layout = {},
         .shape = {},
         .hash = *h};
  if (has_blocks(o.kind)) {
    const auto shape = shape_of(o, o.kind == BLOOMERY_KIND_SPLIT_BLOCK
                                       ? block_profile::split
                                       : static_cast<block_profile>(o.profile));
    if (!shape) return shape.error();
    if (auto ok = check_shape(*shape); !ok) return ok.error();
    p.shape = *shape;
    return p;
  }
  const auto layout =
      o.kind == BLOOMERY_KIND_PORTABLE ? portable_layout(o) : bloom_layout_of(o);
  if (!layout) return layout.error();
  if (auto ok = check_layout(*layout); !ok) return ok.error();
  p.layout = *layout;
  return p;
}

result<any_filter> make_filter(const plan& p) noexcept {
  switch (p.kind) {
    case BLOOMERY_KIND_PORTABLE:
      // By rate it asks itself whether the format can keep to it.
      if (p.fpr != 0)
        return widened<any_filter>(portable_bloom::make({p.keys, p.fpr, p.force}));
      return widened<any_filter>(portable_bloom::make(p.layout, p.keys));
    case BLOOMERY_KIND_BLOOM:
      return widened<any_filter>(bloom::make(p.layout, p.keys, p.hash));
    case BLOOMERY_KIND_SPLIT_BLOCK:
      return widened<any_filter>(split_block_bloom::make(p.shape.blocks, p.keys));
    default:
      return widened<any_filter>(block_bloom::make(p.shape, p.keys, p.hash));
  }
}

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;

bloomery_status bloomery_size(const bloomery_options* options, bloomery_layout* layout,
                              bloomery_error* error) {
  return fill_struct(layout, error, [&]() -> bloomery::result<bloomery_layout> {
    const auto p = plan_of(options);
    if (!p) return p.error();
    bloomery_layout l{};
    l.kind = p->kind;
    l.expected_fpr = expected_fpr(*p);
    if (has_blocks(p->kind)) {
      l.hashes = p->shape.hashes();
      l.profile = static_cast<std::uint32_t>(p->shape.profile);
      l.bits = p->shape.bits();
      l.blocks = p->shape.blocks;
      l.size_in_bytes = p->shape.size_in_bytes();
    } else {
      l.hashes = p->layout.hashes;
      l.bits = p->layout.bits;
      l.size_in_bytes = l.bits / 8 + (l.bits % 8 != 0);
    }
    return l;
  });
}
