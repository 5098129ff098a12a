// A live filter whose hasher can be replaced under load: after a secret has leaked, or
// when keys turn out to be chosen by an attacker.
//
// As live_filter.hpp, but for bytes only.  A key does not record which hasher made it, so
// a key that was made before a rebuild would be a false negative after it: no call here
// returns or takes a key.  Bytes are hashed by the generation that is queried.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/live/generations.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/live/rebuild.hpp>
#include <bloomery/detail/live/rebuild_request.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// F: concurrent<X>, where X takes any hasher; or such an X that is build_only, without
// inserts.
template <class F>
class rekeyable_filter {
  static constexpr bool has_inserts = !build_only<F>;

 public:
  using params = typename F::params;
  using request = rebuild_request<params, std::string_view>;

  // Errors: out_of_memory.
  static result<rekeyable_filter> make(F first, const live_options& o = {}) noexcept {
    const hasher h = first.hasher();
    auto made = generations<F>::make(std::move(first), o);
    if (!made) return made.error();
    return rekeyable_filter(*std::move(made), h);
  }

  // --- any thread; as in live_filter ---
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return all_->may_contain(bytes);
  }
  BLOOMERY_INLINE void insert(std::string_view bytes) noexcept requires(has_inserts) {
    all_->insert(bytes, 1);
  }
  bool insert_if_absent(std::string_view bytes) noexcept requires(has_inserts) {
    return all_->insert_if_absent(bytes, stripe_hasher_.hash(bytes).bits());
  }
  void insert(std::nullptr_t) = delete;
  bool may_contain(std::nullptr_t) const = delete;
  bool insert_if_absent(std::nullptr_t) = delete;

  // REQUIRES: out.size() == keys.size()
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept {
    all_->may_contain(keys, out);
  }
  void insert(std::span<const std::string_view> keys) noexcept requires(has_inserts) {
    all_->insert(keys, keys.size());
  }

  void kill() noexcept { all_->kill(); }
  void revive() noexcept { all_->revive(); }
  bool killed() const noexcept { return all_->killed(); }

  // --- generations; as in live_filter, with any hasher ---
  result<F> swap(F&& next) noexcept { return all_->swap(std::move(next)); }
  result<void> clear() noexcept { return all_->clear(); }

  // `p.params` may name another hasher.  The source gives bytes: result<void>(auto& put).
  template <class Source>
  requires is_source_of_bytes<Source, F> result<void> rebuild(const request& p,
                                                              Source&& source) {
    return rebuild_attempt<F>::run(*all_, p, source);
  }
  bool stop_rebuild() noexcept { return all_->stop_rebuild(); }

  // use(the current filter), for its figures or a copy of it.  Meanwhile swap, clear and
  // rebuild wait.
  template <class Use>
  void examine(Use use) const {
    const typename generations<F>::lasting_pin here(all_->readers());
    use(all_->serving());
  }

  void confirm(std::string_view, bool present) noexcept { all_->confirm(present); }
  live_status status() const noexcept { return all_->status(); }

 private:
  rekeyable_filter(owned<generations<F>> all, hasher h) noexcept
      : all_(std::move(all)), stripe_hasher_(h) {}

  owned<generations<F>> all_;
  // Which lock a key falls to, whatever generation serves.
  hasher stripe_hasher_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
