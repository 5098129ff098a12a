#include <bloomery/xor_filter.hpp>

#include <bloomery/filter.hpp>

#include "filter/slot_kind.hpp"

namespace bloomery::inline v1 {

static_assert(build_only<xor_filter>);
static_assert(buildable_by_threads<xor_filter> && damageable<xor_filter>);

template class slot_storage<xor_rule>;
template class slot_filter<xor_filter, xor_rule>;

}  // namespace bloomery::inline v1
