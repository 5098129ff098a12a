// Where the keys of a rebuild go: into the new generation as they come, or, for a kind
// that is only built, into memory until all of them are there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include <bloomery/detail/filter/distinct_keys.hpp>
#include <bloomery/detail/live/rebuild_rules.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Errors: corrupt.  REQUIRES: found.size() >= ks.size()
template <class F>
result<void> check_found(const F& f, std::span<const key> ks,
                         std::span<bool> found) noexcept {
  f.may_contain(ks, found.first(ks.size()));
  if (std::ranges::count(found.first(ks.size()), true) !=
      static_cast<std::ptrdiff_t>(ks.size()))
    return error{errc::corrupt, "the new generation lacks a key that it was given"};
  return {};
}

template <class F>
class rebuild_target {
 public:
  rebuild_target(F& into, std::span<bool> found) noexcept : into_(into), found_(found) {}

  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return into_.hash(bytes);
  }
  bloomery::hasher hasher() const noexcept { return into_.hasher(); }
  // Errors: corrupt; full, too_many_copies if F may refuse keys.
  result<void> take(std::span<const key> ks) noexcept {
    if constexpr (inserting<F>)
      into_.insert(ks);
    else
      for (std::size_t in = 0; (in += into_.try_insert(ks.subspan(in))) < ks.size(); ++in)
        if (auto ok = into_.try_insert(ks[in]); !ok) return ok;
    return check_found(into_, ks, found_);
  }
  // Whether too many keys are in it.  Errors: unattainable.
  result<void> check_amount(const rebuild_rules& rules) noexcept {
    return rules.check_rate(into_.realised_fpr());
  }

 private:
  F& into_;
  std::span<bool> found_;
};

// 8 bytes for each distinct key, and 12 MiB, until the rebuild ends.
template <build_only F>
class rebuild_target<F> {
 public:
  // `h`: of the new generation.
  explicit rebuild_target(const bloomery::hasher& h) noexcept : hasher_(h) {}

  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return hasher_.hash(bytes);
  }
  const bloomery::hasher& hasher() const noexcept { return hasher_; }
  result<void> take(std::span<const key> ks) noexcept { return keys_.add(ks); }
  // Errors: too_large, out_of_memory.
  result<void> check_amount(const rebuild_rules& rules) noexcept {
    const auto all = keys_.all();
    if (!all) return all.error();
    return rules.check_distinct(all->size());
  }

  // The filter of all keys, each of which was looked up in it.
  // Errors: too_large, corrupt, incompatible (F::build took another hasher),
  // out_of_memory, those of F::build.  REQUIRES: found is not empty
  template <class Params>
  result<F> build(const Params& params, const rebuild_rules& rules,
                  std::span<bool> found) {
    const auto all = keys_.all();
    if (!all) return all.error();
    if (auto ok = rules.check_distinct(all->size()); !ok) return ok.error();
    result<F> made = build_from(*all, params);
    if (!made) return made;
    if (!(made->hasher() == hasher_))
      return error{errc::incompatible, "the new generation has another hasher"};
    for (std::size_t i = 0; i < all->size(); i += found.size()) {
      const auto some = all->subspan(i, std::min(found.size(), all->size() - i));
      if (auto ok = check_found(*made, some, found); !ok) return ok.error();
    }
    return made;
  }

 private:
  template <class Params>
  static result<F> build_from(std::span<const key> all, const Params& params) {
    if constexpr (buildable_by_params<F>)
      return F::build(all, params);
    else
      return F::build(all);
  }

  bloomery::hasher hasher_;
  distinct_keys keys_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
