// What containers, views and sizing know of a kind: one row each.
//
// kind_row<F>, specialised in the header of the kind, has
//   check(facts)                    profile, k, units, parameters and payload length
//                                   agree.  Errors: corrupt, at the wrong byte
//   describe(f)                     the layout's fields of a header
//   adopt(facts, h, store, damage)  a filter around a payload; facts were checked
//   ask(guard, f, k)                a lookup that has every byte checked before it
//                                   reads it
//   ask(guard, f, ks, out)          many
//   layout                          the type of its layouts: trivial, 64 bytes at most
//   size(keys, request)             the layout; the request's options were checked
//   measure(layout)                 its units, bits and bytes
//   header_of(layout)               bytes 11 and 20 of a header
//   expected_fpr(layout, keys)
//   design_keys(layout, keys), design_keys(f)
//                                   the keys with which it has the rate it was sized for:
//                                   all that it is to hold, where that is not `keys`
//   make(layout, keys, request, h)  an empty filter
//   check_member(facts)             of a kind that packed sets of blocks may have
//   build(ks, layout, keys, request, h, threads)
//                                   of a kind that is only built, or that may become
//                                   larger while it is: all of ks, a span of distinct
//                                   ascending keys or, if only built, sorted_keys
//   min_bytes, max_bytes            of any filter of the kind
//   is_well_formed(f), not_well_formed
//                                   where not every payload is a filter: whether it is,
//                                   of one without damage, and the sentence if not
//   promise(layout, keys, fpr)      where the format cannot keep every rate
//   options                         the options it takes, an array of kind_option
//   fields                          what it reports beside the fields of every kind
//                                   (fields.hpp); census(f), where several of them need
//                                   one pass over the filter
//   units_in(bits, hashes, options) units of a filter of so many bits in all, where these
//                                   are not its units; sized_in_bits: false for kinds
//                                   that are sized in units only
//   bare                            its form beside the container, a bare_form*
// What only some kinds have is in row_defaults, which every row derives from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/format/chunk_guard.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "format/kind/fields.hpp"

namespace bloomery::format {

template <class F>
struct kind_row;  // of a kind without a row: incomplete, and nothing compiles

using detail::kind_calls;

struct row_defaults {
  static constexpr std::nullptr_t check_member = nullptr;
  template <class F>
  static bool is_well_formed(const F&) noexcept {
    return true;
  }
  static constexpr const char* not_well_formed = nullptr;
  static constexpr std::nullptr_t promise = nullptr;
  template <class Layout>
  static std::uint64_t design_keys(const Layout&, std::uint64_t keys) noexcept {
    return keys;
  }
  template <class F>
  static std::uint64_t design_keys(const F& f) noexcept {
    // What is only built holds no more than it has.
    if constexpr (build_only<F>)
      if (f.estimated_keys() == 0) return 0;
    return f.capacity();
  }
  template <class F>
  static no_census census(const F&) noexcept {
    return {};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t,
                                        const option_settings&) noexcept {
    return bits;
  }
  static constexpr bool sized_in_bits = true;
  static constexpr const bare_form* bare = nullptr;
};

template <class F>
constexpr kind_calls calls_of() noexcept {
  using row = kind_row<F>;
  return {
      .facts = &F::kind,
      .check = row::check,
      .check_member = row::check_member,
      .describe =
          [](const void* p) noexcept {
            const F& f = *static_cast<const F*>(p);
            container_facts c = row::describe(f);
            c.kind = F::kind.number;
            c.hash = f.hasher().id();
            c.seed = f.hasher().seed();
            c.hash_check = f.hasher().check();
            c.source = f.hasher().source();
            c.capacity = f.capacity();
            return c;
          },
      .payload = [](const void* p) noexcept { return static_cast<const F*>(p)->bytes(); },
      .is_damaged =
          [](const void* p) noexcept {
            if constexpr (damageable<F>)
              return !static_cast<const F*>(p)->damage().empty();
            else
              return (void)p, false;
          },
      .defect = [](const void* p) noexcept -> const char* {
        return row::is_well_formed(*static_cast<const F*>(p)) ? nullptr
                                                              : row::not_well_formed;
      },
      .hasher_of =
          [](const void* p) noexcept { return static_cast<const F*>(p)->hasher(); },
      .adopt =
          [](void* where, const container_facts& facts, const hasher& h, pages store,
             damage_set damage) noexcept {
            new (where) F(row::adopt(facts, h, std::move(store), std::move(damage)));
          },
      .receipts = [](const void* p) noexcept -> const receipt_ledger* {
        if constexpr (keeps_receipts<F>)
          return &static_cast<const F*>(p)->receipts();
        else
          return (void)p, nullptr;
      },
      .destroy = [](void* p) noexcept { static_cast<F*>(p)->~F(); },
      .may_contain =
          [](const void* p, key k) noexcept {
            return static_cast<const F*>(p)->may_contain(k);
          },
      .ask_one =
          [](const chunk_guard& guard, const void* p, key k) noexcept {
            return row::ask(guard, *static_cast<const F*>(p), k);
          },
      .ask_many =
          [](const chunk_guard& guard, const void* p, std::span<const key> ks,
             std::span<bool> out) noexcept {
            row::ask(guard, *static_cast<const F*>(p), ks, out);
          },
  };
}

template <class F>
result<any_filter> as_any(result<F> made) noexcept {
  if (!made) return made.error();
  return any_filter(*std::move(made));
}

// Null for numbers that are no filter's.
const kind_calls* find_calls(container_kind number) noexcept;

// Shared by rows.
inline constexpr std::array<kind_option, 0> no_options{};
// An option of kinds that erase keys.
inline constexpr kind_option identity_option{
    .name = "identity",
    .type = option_type::count,
    .help = "number that its receipts are for; 0: drawn at random for the first one",
    .max = 0x1p64};
// Units of a filter whose units have so many bits.
inline result<std::uint64_t> whole_units(std::uint64_t bits,
                                         std::uint64_t unit) noexcept {
  if (unit == 0) return std::uint64_t{0};
  if (bits % unit != 0)
    return error{errc::invalid_argument, "bits that are no whole buckets or cells"};
  return bits / unit;
}

inline error wrong_field(const char* what, std::uint64_t at) noexcept {
  return {errc::corrupt, what, at};
}
inline error not_positive() noexcept {
  return {errc::invalid_argument, "bits per key are positive", 0, 0, 1};
}
inline result<void> check_no_profile(const container_facts& f) noexcept {
  if (f.profile != block_profile::by_rate)
    return wrong_field("a profile of no blocks", 11);
  return {};
}

}  // namespace bloomery::format
