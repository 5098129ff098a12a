#include <bloomery/fuse.hpp>

#include <bloomery/filter.hpp>

#include "filter/slot_kind.hpp"

namespace bloomery::inline v1 {

static_assert(build_only<fuse>);
static_assert(buildable_by_threads<fuse> && damageable<fuse>);

template class slot_storage<fuse_rule>;
template class slot_filter<fuse, fuse_rule>;

}  // namespace bloomery::inline v1
