#include "sizing.hpp"

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

error unsupported(const char* what) noexcept { return {errc::unsupported, what}; }
error invalid(const char* what) noexcept { return {errc::invalid_argument, what}; }

bool has_blocks(std::uint32_t kind) noexcept {
  return kind == BLOOMERY_KIND_BLOCK || kind == BLOOMERY_KIND_SPLIT_BLOCK;
}

// Fields of rules that the caller did not choose: an oversight, which would go unnoticed.
bool has_strays(const bloomery_options& o) noexcept {
  const bool layout = o.bits != 0 || o.hashes != 0;
  return (o.fpr != 0 && o.size_by != BLOOMERY_SIZE_BY_RATE) ||
         (o.bits_per_key != 0 && o.size_by != BLOOMERY_SIZE_BY_BITS_PER_KEY) ||
         (o.memory != 0 && o.size_by != BLOOMERY_SIZE_BY_MEMORY) ||
         (layout && (o.size_by != BLOOMERY_SIZE_EXACT || has_blocks(o.kind))) ||
         (o.blocks != 0 && (o.size_by != BLOOMERY_SIZE_EXACT || !has_blocks(o.kind)));
}

bool has_profile(const bloomery_options& o) noexcept {
  if (o.kind == BLOOMERY_KIND_BLOCK) return o.profile <= BLOOMERY_PROFILE_TWO_LINES;
  if (o.kind == BLOOMERY_KIND_SPLIT_BLOCK && o.profile == BLOOMERY_PROFILE_SPLIT)
    return true;
  return o.profile == 0;
}

result<void> check(const bloomery_options& o) noexcept {
  constexpr std::uint32_t known_flags = BLOOMERY_FORCE | BLOOMERY_FOLDABLE;
  if (o.kind < BLOOMERY_KIND_PORTABLE || o.kind > BLOOMERY_KIND_BLOOM)
    return unsupported("no kind of filter of that number");
  if (o.size_by > BLOOMERY_SIZE_EXACT) return unsupported("no rule of that number");
  if (has_strays(o)) return invalid("a field that the rule of size_by does not use");
  if ((o.flags & ~known_flags) != 0)
    return unsupported("a flag that this version does not know");
  if ((o.flags & BLOOMERY_FORCE) != 0 && o.kind != BLOOMERY_KIND_PORTABLE)
    return unsupported("only a portable filter can be forced");
  if ((o.flags & BLOOMERY_FOLDABLE) != 0 &&
      (o.kind != BLOOMERY_KIND_BLOCK || o.size_by != BLOOMERY_SIZE_BY_RATE))
    return unsupported("only a block filter sized by rate can be made foldable");
  if (!has_profile(o)) return unsupported("a profile that the kind does not have");
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

error too_few_bits() noexcept { return invalid("bits per key are positive"); }

result<bloom_layout> portable_layout(const bloomery_options& o) noexcept {
  switch (o.size_by) {
    case BLOOMERY_SIZE_EXACT:
      return bloom_layout{o.bits, o.hashes};
    case BLOOMERY_SIZE_BY_MEMORY:
      return size_by_memory(o.keys, o.memory);
    case BLOOMERY_SIZE_BY_BITS_PER_KEY:
      return size_by_bits_per_key(o.keys, o.bits_per_key);
    default:
      return size_by_rate(o.keys, o.fpr);
  }
}

result<bloom_layout> bloom_by_bits(std::uint64_t keys, double bits) noexcept {
  if (!(bits >= 1)) return too_few_bits();
  if (bits > 0x1p62)
    return error{errc::too_large, "more bits than a filter can have", 0, bits};
  return size_bloom_by_bits(keys, static_cast<std::uint64_t>(bits));
}

result<bloom_layout> classic_layout(const bloomery_options& o) noexcept {
  switch (o.size_by) {
    case BLOOMERY_SIZE_EXACT:
      return bloom_layout{o.bits, o.hashes};
    case BLOOMERY_SIZE_BY_MEMORY:
      return bloom_by_bits(o.keys, 8 * static_cast<double>(o.memory));
    case BLOOMERY_SIZE_BY_BITS_PER_KEY:
      return bloom_by_bits(o.keys,
                           std::ceil(static_cast<double>(o.keys) * o.bits_per_key));
    default:
      return size_bloom_by_rate(o.keys, o.fpr);
  }
}

// A few keys still take a whole block.
result<block_shape> blocks_by_bits_per_key(const bloomery_options& o,
                                           block_profile profile) noexcept {
  const double bytes = std::ceil(static_cast<double>(o.keys) * o.bits_per_key / 8);
  if (o.keys != 0 && !(bytes >= 1)) return too_few_bits();
  if (bytes > 0x1p62)
    return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
  const std::uint64_t one_block = block_shape{1, profile}.block_bytes();
  return size_blocks_by_memory(
      o.keys, std::max(one_block, static_cast<std::uint64_t>(bytes)), profile);
}

result<block_shape> shape_of(const bloomery_options& o, block_profile profile) noexcept {
  switch (o.size_by) {
    case BLOOMERY_SIZE_EXACT:
      return block_shape{o.blocks, profile};
    case BLOOMERY_SIZE_BY_MEMORY:
      return size_blocks_by_memory(o.keys, o.memory, profile);
    case BLOOMERY_SIZE_BY_BITS_PER_KEY:
      return blocks_by_bits_per_key(o, profile);
    default:
      break;
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
  if (s.blocks > s.max_blocks())
    return error{errc::too_large, "more blocks than a filter can have", 0,
                 static_cast<double>(s.blocks), static_cast<double>(s.max_blocks())};
  return {};
}

double expected_fpr(const plan& p) noexcept {
  if (p.keys == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto keys = static_cast<double>(p.keys);
  if (has_blocks(p.kind)) return model::block_fpr(p.shape, keys);
  const auto [bits, hashes] = p.layout;
  if (p.kind == BLOOMERY_KIND_BLOOM)
    return model::bloom_fpr(static_cast<double>(bits), hashes, keys);
  return bloomery_portable_expected_fpr(bits, hashes, p.keys);
}

}  // namespace

result<plan> plan_of(const bloomery_options* options) noexcept {
  auto read = read_struct(options);
  if (!read) return read.error();
  bloomery_options o = *read;
  if (o.kind == BLOOMERY_KIND_DEFAULT) o.kind = BLOOMERY_KIND_BLOCK;
  if (auto ok = check(o); !ok) return ok.error();
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
      o.kind == BLOOMERY_KIND_PORTABLE ? portable_layout(o) : classic_layout(o);
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
