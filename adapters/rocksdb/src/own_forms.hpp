// From the forms that are ours to their types, and to their rows.
#pragma once

#include <type_traits>

#include <bloomery/block_bloom.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/ribbon.hpp>

#include "bloomery_rocksdb/level_filter.hpp"

namespace bloomery_rocksdb {

// use(std::type_identity<F>()), F of the form.  REQUIRES: is_own(form)
template <class Use>
auto with_type(filter_form form, Use use) {
  if (form == filter_form::ribbon) return use(std::type_identity<bloomery::ribbon>());
  if (form == filter_form::fuse) return use(std::type_identity<bloomery::fuse>());
  return use(std::type_identity<bloomery::block_bloom>());
}

constexpr bool is_own(filter_form form) {
  return form == filter_form::block || form == filter_form::ribbon ||
         form == filter_form::fuse;
}

// Null if the form is not ours.
inline const bloomery::kind_info* kind_of(filter_form form) {
  if (!is_own(form)) return nullptr;
  return with_type(form, []<class F>(std::type_identity<F>) {
    return bloomery::find_kind(F::kind.number);
  });
}

}  // namespace bloomery_rocksdb
