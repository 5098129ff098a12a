// What a kind is, and what it can do.
#include "kinds.hpp"

#include "boundary.hpp"

namespace bloomery::c_abi {
namespace {

constexpr bool is_numbered(capability c, bloomery_capability as) noexcept {
  return static_cast<int>(c) == static_cast<int>(as);
}
static_assert(is_numbered(capability::insert, BLOOMERY_CAN_INSERT));
static_assert(is_numbered(capability::try_insert, BLOOMERY_CAN_TRY_INSERT));
static_assert(is_numbered(capability::insert_if_absent, BLOOMERY_CAN_INSERT_IF_ABSENT));
static_assert(is_numbered(capability::erase, BLOOMERY_CAN_ERASE));
static_assert(is_numbered(capability::count, BLOOMERY_CAN_COUNT));
static_assert(is_numbered(capability::merge, BLOOMERY_CAN_MERGE));
static_assert(is_numbered(capability::fold, BLOOMERY_CAN_FOLD));
static_assert(is_numbered(capability::intersect, BLOOMERY_CAN_INTERSECT));
static_assert(is_numbered(capability::iterate, BLOOMERY_CAN_ITERATE));
static_assert(is_numbered(capability::build, BLOOMERY_CAN_BUILD));
static_assert(is_numbered(capability::rotate, BLOOMERY_CAN_ROTATE));
static_assert(is_numbered(capability::grow, BLOOMERY_CAN_GROW));
static_assert(is_numbered(capability::forgetting, BLOOMERY_CAN_FORGETTING));
static_assert(is_numbered(capability::publish, BLOOMERY_CAN_PUBLISH));
static_assert(capabilities_known == BLOOMERY_CAN_PUBLISH + 1);

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;

std::size_t bloomery_kind_count() { return bloomery::kinds().size(); }

std::uint32_t bloomery_kind_at(std::size_t i) {
  const auto all = bloomery::kinds();
  return i < all.size() ? static_cast<std::uint32_t>(all[i].facts.number) : 0;
}

const char* bloomery_kind_name(std::uint32_t kind) {
  return kind <= 255 ? name_of(static_cast<bloomery::container_kind>(kind)) : "unknown";
}

std::uint32_t bloomery_kind_find(const char* name) {
  const bloomery::kind_info* const k =
      name == nullptr ? nullptr : bloomery::find_kind(name);
  return k == nullptr ? 0 : static_cast<std::uint32_t>(k->facts.number);
}

const char* bloomery_kind_units(std::uint32_t kind) {
  const bloomery::kind_info* const k = kind_numbered(kind);
  return k == nullptr ? "unknown" : k->facts.units;
}

int bloomery_kind_can(std::uint32_t kind, std::uint32_t capability) {
  const bloomery::kind_info* const k = kind_numbered(kind);
  return k != nullptr && capability < bloomery::capabilities_known &&
         k->can.has(static_cast<bloomery::capability>(capability));
}
