// A filter that is not bits: 16-bit fingerprints, two places a key may lie in, erases.
// For tests of what a container does with kinds whose damaged bytes must not be believed,
// and of receipts.
//
// Its containers have the header of the classic filter, whose row checks them: units are
// bits, two hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/bloom.hpp>
#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/filter.hpp>

#include "format/kind/row.hpp"
#include "must.hpp"

namespace bloomery::testing {

class fingerprints {
 public:
  static constexpr kind_facts kind{
      .number = bloom::kind.number,  // of no kind: as another's
      .name = "fingerprints",
      .summary = "for tests",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .damage = damage_rule::possibly_present};

  fingerprints(std::uint64_t slots, pages store, damage_set damage = {},
               std::uint64_t identity = 0)
      : slots_(slots),
        store_(std::move(store)),
        damage_(std::move(damage)),
        identity_(identity) {}
  static fingerprints make(std::uint64_t slots, std::uint64_t identity = 0) {
    return {slots, must(pages::make(static_cast<std::size_t>(2 * slots))), {}, identity};
  }

  std::uint64_t slots() const noexcept { return slots_; }
  std::uint64_t place(key k, unsigned choice) const noexcept {
    return (k.bits() * (choice == 0 ? 1 : 0x9e3779b97f4a7c15) >> 20) % slots_;
  }
  static std::uint16_t tag(key k) noexcept {
    return static_cast<std::uint16_t>(k.bits() | 1);
  }

  result<void> try_insert(key k) noexcept {
    return put(k, 0, tag(k), {errc::full, "both places are taken"});
  }
  result<void> try_insert(std::string_view text) noexcept {
    return try_insert(hash(text));
  }
  std::size_t try_insert(std::span<const key> ks) noexcept {
    std::size_t n = 0;
    while (n < ks.size() && try_insert(ks[n])) ++n;
    return n;
  }
  void clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

  std::uint64_t identity() const noexcept { return identity_; }
  std::uint64_t scope() const noexcept {
    return receipt_scope(static_cast<std::uint8_t>(kind.number), slots_, 2, identity_);
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    if (auto in = try_insert(k); !in) return in.error();
    return receipt::issue(hasher(), k, scope());
  }
  result<receipt> try_insert_with_receipt(std::string_view text) noexcept {
    return try_insert_with_receipt(hash(text));
  }
  result<void> erase(receipt&& r) noexcept {
    const auto k = r.key_for(hasher(), scope());
    if (!k) return k.error();
    auto done = erase_present(*k);
    if (done) r.use_up();
    return done;
  }
  result<void> erase_present(key k) noexcept {
    return put(k, tag(k), 0, {errc::not_present, "its fingerprint is in neither place"});
  }
  result<void> erase_present(std::string_view text) noexcept {
    return erase_present(hash(text));
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < ks.size(); ++i) {
      const auto done = erase_present(ks[i]);
      if (!done && done.error().code == errc::corrupt) return done.error();
      n += erased[i] = done.has_value();
    }
    return n;
  }
  std::uint64_t count(key k) const noexcept {
    std::uint64_t n = 0;
    for (const unsigned choice : {0u, 1u}) n += get(place(k, choice)) == tag(k);
    return place(k, 0) == place(k, 1) ? n / 2 : n;
  }

  // ask(place): whether that slot may be believed.
  template <class Ask>
  bool find(key k, Ask ask) const noexcept {
    for (const unsigned choice : {0u, 1u}) {
      const std::uint64_t at = place(k, choice);
      if (!ask(2 * at) || get(at) == tag(k)) return true;
    }
    return false;
  }
  bool may_contain(key k) const noexcept {
    return find(k, [&](std::uint64_t at) noexcept { return !damage_.touches(at, 2); });
  }
  bool may_contain(std::string_view text) const noexcept {
    return may_contain(hash(text));
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }

  key hash(std::string_view text) const noexcept { return hasher().hash(text); }
  bloomery::hasher hasher() const noexcept { return bloomery::hasher::xxh3(); }
  double expected_fpr(std::uint64_t) const noexcept { return 0x1p-14; }
  double realised_fpr() const noexcept { return 0x1p-14; }
  double estimated_keys() const noexcept { return 0; }
  double fill() const noexcept { return 0; }
  std::uint64_t capacity() const noexcept { return slots_ / 2; }
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }
  const damage_set& damage() const noexcept { return damage_; }

 private:
  // `now` for `before`, in the first of the key's places that has it.
  result<void> put(key k, std::uint16_t before, std::uint16_t now, error none) noexcept {
    for (const unsigned choice : {0u, 1u})
      if (damage_.touches(2 * place(k, choice), 2))
        return error{errc::corrupt, "bytes of the key are damaged"};
    for (const unsigned choice : {0u, 1u})
      if (const std::uint64_t at = place(k, choice); get(at) == before) {
        std::memcpy(store_.data() + 2 * at, &now, 2);
        return {};
      }
    return none;
  }
  std::uint16_t get(std::uint64_t at) const noexcept {
    std::uint16_t t;
    std::memcpy(&t, store_.data() + 2 * at, 2);
    return t;
  }

  std::uint64_t slots_;
  pages store_;
  damage_set damage_;
  std::uint64_t identity_;
};
static_assert(bounded<fingerprints> && !insertable<fingerprints>);
static_assert(erasable<fingerprints> && counting<fingerprints>);
static_assert(capabilities_of<fingerprints>().has(capability::try_insert));

}  // namespace bloomery::testing

namespace bloomery::format {

template <>
struct kind_row<testing::fingerprints> : row_defaults {
  using F = testing::fingerprints;
  static result<void> check(const container_facts&) noexcept { return {}; }
  static container_facts describe(const F& f) noexcept {
    container_facts c;
    c.hashes = 2;
    c.units = 16 * f.slots();
    return c;
  }
  static F adopt(const container_facts& f, const hasher&, pages store,
                 damage_set damage) noexcept {
    return F(f.units / 16, std::move(store), std::move(damage));
  }
  static bool ask(const chunk_guard& guard, const F& f, key k) noexcept {
    return f.find(k, [&](std::uint64_t at) noexcept { return guard.need(at, 2); });
  }
  static void ask(const chunk_guard& guard, const F& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }
};

}  // namespace bloomery::format
