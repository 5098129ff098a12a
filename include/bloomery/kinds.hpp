// Every kind of filter: the one list of types, and the one step from number to type.
//
//   for (const bloomery::kind_info& k : bloomery::kinds()) print(k.facts.name);
//   auto f = bloomery::find_kind("bloom")->make(keys, {.fpr = 0.001}, hash);
//   with_kind(number, [&]<class F>(std::type_identity<F>) -> result<...> { ... });
//
// A new kind is its own files with its row (src/kind/NAME/row.hpp), its number
// (detail/kind_facts.hpp), its line in filter_types and an include in
// src/format/kind/table.cpp.  any_filter, views, containers, the tool, C, Python,
// benchmarks and laws follow from these.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/description.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/kernels.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/detail/type_list.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/model.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/partitioned_bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/result.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>
#include <bloomery/xor_filter.hpp>

namespace bloomery::inline v1 {

// The first is the default in the tool and in the C interface.
using filter_types =
    detail::type_list<block_bloom, split_block_bloom, bloom, partitioned_bloom,
                      scalable_bloom, counting_bloom, cuckoo, quotient, ribbon, fuse,
                      xor_filter, stable_bloom, window_bloom, portable_bloom>;

class any_filter;
class chunk_guard;
class input_file;
struct container_facts;

namespace detail {

template <class... Fs>
consteval bool has_every_number_once(type_list<Fs...>) {
  for (unsigned n = 1; n <= static_cast<unsigned>(last_filter_kind); ++n)
    if (((static_cast<unsigned>(Fs::kind.number) == n) + ...) != 1) return false;
  return sizeof...(Fs) == static_cast<unsigned>(last_filter_kind);
}
static_assert(has_every_number_once(filter_types{}),
              "a number of container_kind has no type in filter_types, or two have it");

}  // namespace detail

// A type of the list filter_types.
template <class F>
concept listed_filter = filter_types::has<F>;

// Whether the number is that of a filter, not of a packed set or foreign bytes.
constexpr bool is_filter(container_kind k) noexcept {
  return k >= container_kind{1} && k <= last_filter_kind;
}

// use(std::type_identity<F>{}) with the filter type of that number: the only place where
// one becomes the other.  `use` returns something that can be made from an error:
// unsupported, if the number is that of no filter (asked: the number).
template <class Use>
auto with_kind(container_kind number, Use&& use) {
  return [&]<class First, class... Rest>(detail::type_list<First, Rest...>) {
    using answer = decltype(use(std::type_identity<First>{}));
    std::optional<answer> out;
    const auto match = [&]<class F>(std::type_identity<F> type) {
      if (F::kind.number != number) return false;
      out.emplace(use(type));
      return true;
    };
    if (!match(std::type_identity<First>{}))
      (void)(match(std::type_identity<Rest>{}) || ...);
    if (!out)
      out.emplace(error{errc::unsupported, "no kind of filter has this number", 10,
                        static_cast<double>(number)});
    return *std::move(out);
  }(filter_types{});
}

namespace detail {

struct refusal_text {
  std::array<char, 256> chars{};
  std::size_t size = 0;
  constexpr void add(std::string_view more) {
    for (const char c : more) chars[size++] = c;  // too long: does not compile
  }
};

template <class... Fs>
consteval refusal_text refusal(std::string_view kind, capability call, type_list<Fs...>) {
  refusal_text text;
  text.add("a filter of the kind ");
  text.add(kind);
  text.add(" has no ");
  text.add(name_of(call));
  const std::size_t having = (std::size_t{capabilities_of<Fs>().has(call)} + ...);
  text.add(having == 0 ? "; no kind of this version has" : "; these kinds have it: ");
  bool first = true;
  const auto list = [&](std::string_view name, bool has) {
    if (!has) return;
    if (!first) text.add(", ");
    first = false;
    text.add(name);
  };
  (list(Fs::kind.name, capabilities_of<Fs>().has(call)), ...);
  return text;
}

template <class F, capability call>
inline constexpr refusal_text refusal_of = refusal(F::kind.name, call, filter_types{});

}  // namespace detail

// The error of a call that F does not have, naming F's kind and the kinds that have it.
template <class F, capability call>
constexpr error no_such_call() noexcept {
  return {errc::unsupported, detail::refusal_of<F, call>.chars.data()};
}

// Bytes 11 and 20 of a header: what a layout has there.
struct header_layout {
  std::uint32_t hashes = 0;
  block_profile profile = block_profile::by_rate;
};

namespace detail {

// What containers and views need of a kind.  `f`: a filter of its type.
struct kind_calls {
  const kind_facts* facts;
  result<void> (*check)(const container_facts& f) noexcept;
  // Profile and k of the members of a packed set of blocks; null: it has none of this
  // kind.
  result<void> (*check_member)(const container_facts& f) noexcept;
  container_facts (*describe)(const void* f) noexcept;
  std::span<const std::byte> (*payload)(const void* f) noexcept;
  bool (*is_damaged)(const void* f) noexcept;
  // Null if the payload of a filter without damage is one; otherwise why not.
  const char* (*defect)(const void* f) noexcept;
  bloomery::hasher (*hasher_of)(const void* f) noexcept;
  void (*adopt)(void* where, const container_facts& facts, const hasher& h, pages store,
                damage_set damage) noexcept;
  // What it knows of its receipts; null if the kind issues none.
  const receipt_ledger* (*receipts)(const void* f) noexcept;
  void (*destroy)(void* f) noexcept;
  bool (*may_contain)(const void* f, key k) noexcept;
  bool (*ask_one)(const chunk_guard& guard, const void* f, key k) noexcept;
  void (*ask_many)(const chunk_guard& guard, const void* f, std::span<const key> ks,
                   std::span<bool> out) noexcept;
};

}  // namespace detail

// How filters of one kind lie in files of other programs, without our header: the bytes
// do not say what keys are.  any_filter.hpp has calls by the name of a form.
struct bare_form {
  const char* name;
  // The dialect whose variant of that name has the same bytes; null: none.
  const char* dialect = nullptr;
  std::uint64_t (*size)(const void* f) noexcept;  // of the bytes
  result<pages> (*encode)(const void* f) noexcept;
  result<any_filter> (*decode)(std::span<const std::byte> bytes,
                               key_source source) noexcept;
  // Null if it is no file by itself.
  result<any_filter> (*load)(const input_file& file,
                             key_source source) noexcept = nullptr;
  result<void> (*save)(const void* f, path_ref path,
                       const input_file* replaces) noexcept = nullptr;

  constexpr bool has_files() const noexcept { return load != nullptr; }
};

// A kind at run time.
struct kind_info {
  kind_facts facts;
  capabilities can;
  // The smallest filter and the largest, in bytes.
  double min_bytes, max_bytes;
  // What it takes and what it reports (description.hpp).
  std::span<const kind_option> options;
  std::span<const kind_field> fields;

  // The size that results from the request.  Errors: invalid_argument (no keys, a rate
  // outside (0, 1), less memory than the smallest filter takes), unattainable (a rate;
  // or, asked and possible in bytes, memory that so many keys do not fit), too_large
  // (asked: bytes); those of check_options.
  result<filter_size> (*size)(std::uint64_t keys, const size_request& request) noexcept;

  // The same without expected_fpr, which takes milliseconds where the model is exact.
  result<filter_size> (*layout)(std::uint64_t keys, const size_request& request) noexcept;

  // The keys with which a filter of the kind has the rate it was sized for: its capacity;
  // of a kind that grows, all that its levels may hold at that rate; of one that forgets,
  // inserts until its rate rises no more; 0 if it is only built, and empty.
  std::uint64_t (*design_keys)(const void* f) noexcept;

  // What a header says of a size.
  header_layout (*header)(const filter_size& size) noexcept;

  // An empty filter.  `keys` is what it is sized for.  Errors: those of `size`;
  // unsupported (a hasher that the kind does not take, or a kind that is only built);
  // out_of_memory.
  result<any_filter> (*make)(std::uint64_t keys, const size_request& request,
                             const hasher& h) noexcept;

  // A filter with all of `ks` in it, sized for `keys`.
  // Errors: as make, full.  REQUIRES: threads >= 1
  result<any_filter> (*build)(std::span<const key> ks, std::uint64_t keys,
                              const size_request& request, const hasher& h,
                              unsigned threads) noexcept;
  // The same of keys that need not be in memory at once; the filter has the same bytes.
  // Errors: as build, and those of `ks`.
  result<any_filter> (*build_sorted)(sorted_keys& ks, std::uint64_t keys,
                                     const size_request& request, const hasher& h,
                                     unsigned threads) noexcept;
  // More threads make a build faster.
  bool builds_by_threads;

  // The rate that the format actually gives; null for formats that can give every rate.
  portable_promise (*promise)(const filter_size& size, std::uint64_t keys,
                              double fpr) noexcept;

  // The units (size_request::exact) of a filter of exactly so many bits.  Null for kinds
  // whose sizes are given in units only, which are blocks or lines.
  // Errors: invalid_argument (no whole units).
  result<std::uint64_t> (*units_in)(std::uint64_t bits, std::uint32_t hashes,
                                    const option_settings& options) noexcept;
  bool units_are_bits;

  // use(context, place, value) for each field of these groups, or for `only`, one of
  // `fields`, if it is not null.  `filter`: a filter of this kind's type.  for_each_field
  // and read_field call it.
  void (*read_fields)(const void* filter, field_groups groups, const kind_field* only,
                      field_use use, void* context) noexcept;

  // Its bytes without a container; null for kinds that lie in containers only.
  const bare_form* bare;

  detail::kind_calls files;
};

// The rows, in the order of filter_types.
BLOOMERY_EXPORT std::span<const kind_info> kinds() noexcept;

// Null if there is none.
BLOOMERY_EXPORT const kind_info* find_kind(std::string_view name) noexcept;
BLOOMERY_EXPORT const kind_info* find_kind(container_kind number) noexcept;
// The form of that name; null if no kind has it.
BLOOMERY_EXPORT const bare_form* find_form(std::string_view name) noexcept;

// --- rates ---
// The rates of filters of this kind for so many keys, by bits per key, headers included:
// for model::budget.  1 where so little memory makes no filter.
BLOOMERY_EXPORT model::rate_curve rate_curve_of(const kind_info& kind,
                                                std::uint64_t keys) noexcept;

// The keys with which a filter has the rate it was sized for (kind_info::design_keys).
template <listed_filter F>
std::uint64_t design_keys(const F& f) noexcept {
  return find_kind(F::kind.number)->design_keys(&f);
}
// The rate that it was sized for: what it has when it is full.  The rate of all levels or
// generations, where it has several.  0 if it is only built, and empty.  NaN if no
// capacity is recorded.
template <listed_filter F>
double design_fpr(const F& f) noexcept {
  if constexpr (build_only<F>)
    if (f.estimated_keys() == 0) return 0;
  return f.capacity() != 0 ? f.expected_fpr(design_keys(f))
                           : std::numeric_limits<double>::quiet_NaN();
}

// --- options ---
// The first kind's row of the option of that name; null if no kind has it.
BLOOMERY_EXPORT const kind_option* find_option(std::string_view name) noexcept;

// Sets an option of a request by its name: a count, a real, a flag or, as text, any of
// them; "by-rate" is the preset of a name.  A count of 0 where 0 is the option's preset,
// and a flag that is false, set nothing.  Whether the kind has the option, and the value,
// check_options says. Errors: invalid_argument (no kind has an option of that name, or
// the value is of another type; asked: the number).
BLOOMERY_EXPORT result<void> set_option(size_request& r, std::string_view name,
                                        std::uint64_t value) noexcept;
BLOOMERY_EXPORT result<void> set_option(size_request& r, std::string_view name,
                                        double value) noexcept;
BLOOMERY_EXPORT result<void> set_option(size_request& r, std::string_view name,
                                        bool value) noexcept;
BLOOMERY_EXPORT result<void> set_option(size_request& r, std::string_view name,
                                        std::string_view text) noexcept;
inline result<void> set_option(size_request& r, std::string_view name,
                               const char* text) noexcept {
  return set_option(r, name, std::string_view(text));
}
template <std::signed_integral T>
result<void> set_option(size_request& r, std::string_view name, T value) noexcept {
  if (value < 0)
    return error{errc::invalid_argument, "a count or size cannot be negative", 0,
                 static_cast<double>(value)};
  return set_option(r, name, static_cast<std::uint64_t>(value));
}
inline result<void> set_option(size_request& r, std::string_view name,
                               unsigned value) noexcept {
  return set_option(r, name, std::uint64_t{value});
}

// Whether filters of the kind can have these options.  Errors: unsupported (the kind has
// no such option; the message names the kinds that have it), invalid_argument (a value
// that it cannot have; unsupported, of a profile), both with the number as `asked`.
BLOOMERY_EXPORT result<void> check_options(const kind_info& kind,
                                           const option_settings& options) noexcept;

// --- fields ---
// use(const field_place&, const field_value&) for each field of the filter in `groups`,
// in the order of kind_info::fields.
template <listed_filter F, class Use>
void for_each_field(const F& f, field_groups groups, Use&& use) {
  find_kind(F::kind.number)
      ->read_fields(
          &f, groups, nullptr,
          [](void* context, const field_place& at, const field_value& v) {
            (*static_cast<std::remove_reference_t<Use>*>(context))(at, v);
          },
          &use);
}

// Null if the kind has no field of that name.
BLOOMERY_EXPORT const kind_field* find_field(const kind_info& kind,
                                             std::string_view name) noexcept;

// One field of a filter, by its name.  Errors: unsupported (the kind has no such field,
// or it is a table).
template <listed_filter F>
result<field_value> read_field(const F& f, std::string_view name) {
  const kind_info& k = *find_kind(F::kind.number);
  const kind_field* const field = find_field(k, name);
  if (field == nullptr || field->is_table())
    return error{errc::unsupported, "the kind has no field of that name"};
  field_value out;
  k.read_fields(
      &f, all_fields, field,
      [](void* to, const field_place&, const field_value& v) {
        *static_cast<field_value*>(to) = v;
      },
      &out);
  return out;
}

}  // namespace bloomery::inline v1
