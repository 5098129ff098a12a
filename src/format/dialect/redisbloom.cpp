// RedisBloom: what BF.SCANDUMP and CF.SCANDUMP reply, as one file.
//
// The file is the header (the reply to iterator 0) followed by the bytes of every chunk
// in the order of the iterators, nothing between: 20 + 53 * links bytes and the links of
// a BF (redis_chain.cpp), or 38 bytes and the sub-filters of a CF (redis_cuckoo.cpp).
// Neither has a magic.  Which it is follows from the header that agrees with the length.
#include "format/dialect/redisbloom.hpp"
#include "format/dialect/check.hpp"

namespace bloomery::format {
namespace {

bool is_cuckoo(const layout& l) noexcept { return !l.cells_are_bits; }

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  if (o.variant == redis::cuckoo_variant) return redis::inspect_cuckoo(bytes);
  const auto chain = redis::inspect_chain(bytes);
  if (!o.variant.empty()) {
    if (chain)
      if (auto ok = check_variant(o, chain->variant); !ok) return ok.error();
    return chain;
  }
  const auto cuckoo = redis::inspect_cuckoo(bytes);
  if (chain && cuckoo)
    return missing("the bytes could be a BF or a CF: give the variant");
  return cuckoo ? cuckoo : chain;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  return is_cuckoo(l) ? redis::cuckoo_may_contain(l, from, key)
                      : redis::chain_may_contain(l, from, key);
}

census count(const layout& l, const image& from) noexcept {
  return is_cuckoo(l) ? redis::cuckoo_count(l, from) : redis::chain_count(l, from);
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  return is_cuckoo(l) ? redis::cuckoo_part(l, from, i) : redis::chain_part(l, from, i);
}

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant == redis::cuckoo_variant)
    return error{errc::unsupported, "cuckoo filters are read, not written"};
  return redis::make_chain(p);
}

result<void> merge(const layout& l, pages& to, const layout& theirs,
                   const image& from) noexcept {
  if (is_cuckoo(l))
    return error{errc::unsupported, "filters of this form cannot be united"};
  return redis::chain_merge(l, to, theirs, from);
}

}  // namespace

constinit const dialect redisbloom_dialect{
    .facts = {.name = "redisbloom",
              .summary = "RedisBloom: SCANDUMP header and chunks, one after the other",
              .hash = "murmur64a",
              .variants = "scaling nonscaling legacy32 legacy64 cuckoo (r)",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .part = part,
    .make = make,
    .insert = redis::chain_insert,
    .merge = merge,
};

}  // namespace bloomery::format
