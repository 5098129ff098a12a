#include "options.hpp"

#include <algorithm>
#include <string_view>

#include "hashing.hpp"
#include "kinds.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

error unsupported(const char* what) noexcept { return {errc::unsupported, what}; }

// Bits in one unit; 0 where it is no number.
std::uint64_t bits_per_unit(const bloomery_options& o, const kind_facts& kind) noexcept {
  const std::string_view units = kind.units;
  if (units == "cells") return kind.takes_cells ? 4 : 2;  // counters; of stable filters
  return units == "buckets" ? 4 * std::uint64_t{o.hashes} : 1;
}

// Blocks of several, and some to spare: bits of one are no number.
bool counts_quotients(const kind_facts& kind) noexcept {
  return std::string_view(kind.units) == "quotients";
}

result<filter_size> exact_size(const bloomery_options& o, const kind_info& kind,
                               std::uint64_t units) noexcept {
  size_request exactly;
  exactly.exact = {units, o.hashes};
  return kind.size(0, exactly);
}

// The most units in `bits`; 0: none.
std::uint64_t most_units(const bloomery_options& o, const kind_info& kind) noexcept {
  std::uint64_t most = 0, limit = o.bits;  // each has at least one bit
  while (most < limit) {
    const std::uint64_t middle = limit - (limit - most) / 2;
    const auto size = exact_size(o, kind, middle);
    if (size && size->bits <= o.bits)
      most = middle;
    else
      limit = middle - 1;
  }
  return most;
}

bool counts_slices(const kind_facts& kind) noexcept {
  return std::string_view(kind.units) == "slice";
}

// Fields of rules that the caller did not choose: an oversight, which would go unnoticed.
bool has_strays(const bloomery_options& o, const kind_facts& kind) noexcept {
  const bool is_exact = o.size_by == BLOOMERY_SIZE_EXACT;
  const bool has_bits = o.bits != 0 || o.hashes != 0;
  return (o.fpr != 0 && o.size_by != BLOOMERY_SIZE_BY_RATE &&
          !kind.takes_rate_and_memory) ||
         (o.bits_per_key != 0 && o.size_by != BLOOMERY_SIZE_BY_BITS_PER_KEY) ||
         (o.memory != 0 && o.size_by != BLOOMERY_SIZE_BY_MEMORY) ||
         (has_bits && !(is_exact && counts_bits(kind))) ||
         (o.blocks != 0 && !(is_exact && !counts_bits(kind)));
}

// A kind without a choice accepts its own profile.
bool has_profile(const bloomery_options& o, const kind_info& kind) noexcept {
  if (kind.facts.takes_profile)
    return o.profile <= BLOOMERY_PROFILE_LANES16 && o.profile != BLOOMERY_PROFILE_SPLIT;
  size_request smallest;
  smallest.exact = {1, 1};
  const auto size = kind.size(0, smallest);
  return o.profile == 0 ||
         (size && o.profile == static_cast<std::uint32_t>(size->profile));
}

result<void> check(const bloomery_options& o, const kind_info& kind) noexcept {
  constexpr std::uint32_t known_flags =
      BLOOMERY_FORCE | BLOOMERY_FOLDABLE | BLOOMERY_DYNAMIC;
  if (o.size_by > BLOOMERY_SIZE_EXACT) return unsupported("no rule of that number");
  if (has_strays(o, kind.facts))
    return error{errc::invalid_argument, "a field that the rule of size_by does not use"};
  if (counts_slices(kind.facts) && o.hashes != 0 && o.bits % o.hashes != 0)
    return error{errc::invalid_argument, "bits that are no multiple of the hashes"};
  if (const auto unit = bits_per_unit(o, kind.facts); unit != 0 && o.bits % unit != 0)
    return error{errc::invalid_argument, "bits that are no whole buckets or cells"};
  if (counts_quotients(kind.facts) && o.bits != 0) {
    const auto size = exact_size(o, kind, most_units(o, kind));
    if (size && size->bits != o.bits)
      return error{errc::invalid_argument, "bits that are no whole blocks"};
  }
  if ((o.flags & ~known_flags) != 0)
    return unsupported("a flag that this version does not know");
  if ((o.flags & BLOOMERY_FORCE) != 0 && kind.promise == nullptr)
    return unsupported("a kind that keeps to every rate it accepts cannot be forced");
  if (o.gap != 0 && !kind.facts.forgets)
    return unsupported("a gap is for kinds that forget");
  if (o.gap != 0 && o.keys != 0 && o.gap != o.keys)
    return error{errc::invalid_argument,
                 "keys and gap are the same number: one of them, or both equal"};
  if (!has_profile(o, kind)) return unsupported("a profile that the kind does not have");
  return {};
}

// `bits` are all bits of the filter, also where the kind counts those of one slice per
// hash.  REQUIRES: check has passed
std::uint64_t exact_units(const bloomery_options& o, const kind_info& kind) noexcept {
  if (!counts_bits(kind.facts)) return o.blocks;
  if (counts_quotients(kind.facts)) return most_units(o, kind);
  if (counts_slices(kind.facts) && o.hashes != 0) return o.bits / o.hashes;
  const std::uint64_t unit = bits_per_unit(o, kind.facts);
  return unit == 0 ? 0 : o.bits / unit;
}

size_request size_of(const bloomery_options& o, const kind_info& kind) noexcept {
  size_request size;
  switch (o.size_by) {
    case BLOOMERY_SIZE_EXACT:
      size.exact = {exact_units(o, kind), o.hashes};
      break;
    case BLOOMERY_SIZE_BY_MEMORY:
      size.memory = o.memory;
      break;
    case BLOOMERY_SIZE_BY_BITS_PER_KEY:
      size.bits_per_key = o.bits_per_key;
      break;
    default:
      size.fpr = o.fpr;
  }
  if (o.fpr != 0) size.fpr = o.fpr;  // beside another rule, where check allows it
  size.generations = o.generations;
  if (kind.facts.takes_profile) size.profile = static_cast<block_profile>(o.profile);
  size.foldable = (o.flags & BLOOMERY_FOLDABLE) != 0;
  size.force = (o.flags & BLOOMERY_FORCE) != 0;
  size.identity = o.identity;
  size.growth = {.max_growth = o.max_growth,
                 .growth = o.growth,
                 .dynamic = (o.flags & BLOOMERY_DYNAMIC) != 0};
  return size;
}

result<hasher> hash_for(const bloomery_options& o, const kind_facts& kind) noexcept {
  const hasher own = kind.hasher();
  const auto h = hasher_of(o.hasher, own);
  if (h && !kind.takes_hasher && h->of(key_source::bytes) != own)
    return unsupported("the kind has a fixed hash, and accepts no other");
  return h;
}

const kind_info* kind_of(std::uint32_t number) noexcept {
  return number == BLOOMERY_KIND_DEFAULT ? &kinds().front() : kind_numbered(number);
}

}  // namespace

bool counts_bits(const kind_facts& kind) noexcept {
  const std::string_view units = kind.units;
  return units != "blocks" && units != "lines";
}

result<filter_request> request_of(const bloomery_options* options,
                                  std::uint64_t min_keys) noexcept {
  const auto o = read_struct(options);
  if (!o) return o.error();
  const kind_info* const kind = kind_of(o->kind);
  if (kind == nullptr) return unsupported("no kind of filter of that number");
  if (auto ok = check(*o, *kind); !ok) return ok.error();
  const auto h = hash_for(*o, kind->facts);
  if (!h) return h.error();
  const std::uint64_t keys = std::max(o->keys, o->gap);
  return filter_request{kind, std::max(keys, min_keys), keys != 0, size_of(*o, *kind),
                        *h};
}

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;

bloomery_status bloomery_size(const bloomery_options* options, bloomery_layout* layout,
                              bloomery_error* error) {
  return fill_struct(layout, error, [&]() -> bloomery::result<bloomery_layout> {
    const auto request = request_of(options);
    if (!request) return request.error();
    const auto size = request->sized();
    if (!size) return size.error();
    const bloomery::kind_facts& kind = request->kind->facts;
    bloomery_layout l{};
    l.kind = static_cast<std::uint32_t>(kind.number);
    l.hashes = size->hashes;
    l.profile = static_cast<std::uint32_t>(size->profile);
    l.bits = size->bits;
    l.blocks = counts_bits(kind) ? 0 : size->units;
    l.size_in_bytes = size->bytes;
    l.expected_fpr = size->expected_fpr;
    return l;
  });
}
