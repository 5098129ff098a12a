#include "options.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "hashing.hpp"
#include "kinds.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

error unsupported(const char* what) noexcept { return {errc::unsupported, what}; }

// Fields of rules that the caller did not choose: an oversight, which would go unnoticed.
bool has_strays(const bloomery_options& o, const kind_info& kind) noexcept {
  const bool is_exact = o.size_by == BLOOMERY_SIZE_EXACT;
  const bool has_bits = o.bits != 0 || o.hashes != 0;
  return (o.fpr != 0 && o.size_by != BLOOMERY_SIZE_BY_RATE &&
          !kind.facts.rate_beside_size) ||
         (o.bits_per_key != 0 && o.size_by != BLOOMERY_SIZE_BY_BITS_PER_KEY) ||
         (o.memory != 0 && o.size_by != BLOOMERY_SIZE_BY_MEMORY) ||
         (has_bits && !(is_exact && kind.units_in != nullptr)) ||
         (o.blocks != 0 && !(is_exact && kind.units_in == nullptr));
}

// A setting's option, by its number from 1: all names, in the order of kinds().
const kind_option* option_numbered(std::uint32_t number) noexcept {
  std::uint32_t n = 0;
  for (const kind_info& k : kinds())
    for (const kind_option& o : k.options)
      if (find_option(o.name) == &o && ++n == number) return &o;
  return nullptr;
}
std::uint32_t number_of(const kind_option& option) noexcept {
  std::uint32_t n = 1;
  while (option_numbered(n) != &option) ++n;
  return n;
}

// A kind without a choice accepts its own profile.
result<void> set_profile(size_request& r, const bloomery_options& o,
                         const kind_info& kind) noexcept {
  if (o.profile == 0) return {};
  const auto profile = static_cast<block_profile>(std::min(o.profile, 255u));
  size_request smallest;
  smallest.exact = {1, 1};
  if (const auto size = kind.size(0, smallest);
      size && kind.header(*size).profile == profile)
    return {};
  return set_option(r, "profile", name_of(profile));
}

// Options of the kind: the fields that the struct has, then what was set by name.
result<void> set_options(size_request& r, const bloomery_options& o,
                         const kind_info& kind) noexcept {
  if (auto ok = set_profile(r, o, kind); !ok) return ok;
  // 0: not given.
  const auto count = [&](const char* name, std::uint64_t n) noexcept {
    return n != 0 ? set_option(r, name, n) : result<void>();
  };
  for (const auto& ok :
       {count("generations", o.generations), count("identity", o.identity),
        count("growth", o.growth), set_option(r, "max_growth", o.max_growth),
        set_option(r, "foldable", (o.flags & BLOOMERY_FOLDABLE) != 0),
        set_option(r, "dynamic", (o.flags & BLOOMERY_DYNAMIC) != 0)})
    if (!ok) return ok;
  for (const bloomery_setting& s : o.settings) {
    if (s.option == 0) continue;
    const kind_option* const option = option_numbered(s.option);
    if (option == nullptr || !r.options.set(*option, s.value))
      return error{errc::invalid_argument,
                   "settings are written by bloomery_options_set"};
  }
  return check_options(kind, r.options);
}

result<void> check(const bloomery_options& o, const kind_info& kind) noexcept {
  constexpr std::uint32_t known_flags =
      BLOOMERY_FORCE | BLOOMERY_FOLDABLE | BLOOMERY_DYNAMIC;
  if (o.size_by > BLOOMERY_SIZE_EXACT) return unsupported("no rule of that number");
  if (has_strays(o, kind))
    return error{errc::invalid_argument, "a field that the rule of size_by does not use"};
  if ((o.flags & ~known_flags) != 0)
    return unsupported("a flag that this version does not know");
  if ((o.flags & BLOOMERY_FORCE) != 0 && kind.promise == nullptr)
    return unsupported("a kind that keeps to every rate it accepts cannot be forced");
  if (o.gap != 0 && !kind.facts.forgets)
    return unsupported("a gap is for kinds that forget");
  if (o.gap != 0 && o.keys != 0 && o.gap != o.keys)
    return error{errc::invalid_argument,
                 "keys and gap are the same number: one of them, or both equal"};
  return {};
}

// `bits` are all bits of the filter, whatever the kind counts.
result<std::uint64_t> exact_units(const bloomery_options& o, const kind_info& kind,
                                  const option_settings& options) noexcept {
  if (kind.units_in == nullptr) return o.blocks;
  return kind.units_in(o.bits, o.hashes, options);
}

result<size_request> size_of(const bloomery_options& o, const kind_info& kind) noexcept {
  size_request size;
  if (auto ok = set_options(size, o, kind); !ok) return ok.error();
  if (o.size_by == BLOOMERY_SIZE_EXACT) {
    const auto units = exact_units(o, kind, size.options);
    if (!units) return units.error();
    size.exact = {*units, o.hashes};
  } else if (o.size_by == BLOOMERY_SIZE_BY_MEMORY) {
    size.memory = o.memory;
  } else if (o.size_by == BLOOMERY_SIZE_BY_BITS_PER_KEY) {
    size.bits_per_key = o.bits_per_key;
  } else {
    size.fpr = o.fpr;
  }
  if (o.fpr != 0) size.fpr = o.fpr;  // beside another rule, where check allows it
  size.force = (o.flags & BLOOMERY_FORCE) != 0;
  return size;
}

result<hasher> hash_for(const bloomery_options& o, const kind_facts& kind) noexcept {
  const hasher own = kind.hasher();
  const auto h = hasher_of(o.hasher, own);
  if (h && !kind.any_hasher && h->of(key_source::bytes) != own)
    return unsupported("the kind has a fixed hash, and accepts no other");
  return h;
}

const kind_info* kind_of(std::uint32_t number) noexcept {
  return number == BLOOMERY_KIND_DEFAULT ? &kinds().front() : kind_numbered(number);
}

}  // namespace

result<filter_request> request_of(const bloomery_options* options,
                                  std::uint64_t min_keys) noexcept {
  const auto o = read_struct(options);
  if (!o) return o.error();
  const kind_info* const kind = kind_of(o->kind);
  if (kind == nullptr) return unsupported("no kind of filter of that number");
  if (auto ok = check(*o, *kind); !ok) return ok.error();
  const auto h = hash_for(*o, kind->facts);
  if (!h) return h.error();
  const auto size = size_of(*o, *kind);
  if (!size) return size.error();
  const std::uint64_t keys = std::max(o->keys, o->gap);
  return filter_request{kind, std::max(keys, min_keys), keys != 0, *size, *h};
}

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;

bloomery_status bloomery_size(const bloomery_options* options, bloomery_layout* layout,
                              bloomery_error* error) {
  return fill_struct(layout, error, [&]() -> bloomery::result<bloomery_layout> {
    const auto request = request_of(options);
    if (!request) return request.error();
    const auto size = request->sized();
    if (!size) return size.error();
    const bloomery::kind_info& kind = *request->kind;
    const bloomery::header_layout header = kind.header(*size);
    bloomery_layout l{};
    l.kind = static_cast<std::uint32_t>(kind.facts.number);
    l.hashes = header.hashes;
    l.profile = static_cast<std::uint32_t>(header.profile);
    l.bits = size->bits;
    l.blocks = kind.units_in != nullptr ? 0 : size->units;
    l.size_in_bytes = size->bytes;
    l.expected_fpr = size->expected_fpr;
    return l;
  });
}

bloomery_status bloomery_options_set(bloomery_options* options, const char* name,
                                     const char* value, bloomery_error* error) {
  return guarded(error, [&]() -> bloomery::result<void> {
    if (name == nullptr || value == nullptr) return null_argument();
    auto o = read_struct(options);
    if (!o) return o.error();
    if (o->struct_size < sizeof(bloomery_options))
      return bloomery::error{bloomery::errc::invalid_argument,
                             "these options have no room for settings"};
    const bloomery::kind_option* const option = bloomery::find_option(name);
    bloomery::size_request request;
    if (auto ok = set_option(request, name, std::string_view(value)); !ok)
      return ok.error();
    const std::uint32_t number = number_of(*option);
    const auto place = [&](std::uint32_t wanted) {
      return std::ranges::find(o->settings, wanted, &bloomery_setting::option);
    };
    auto* to = place(number);
    if (to == std::end(o->settings)) to = place(0);
    if (to == std::end(o->settings))
      return bloomery::error{bloomery::errc::invalid_argument,
                             "more options than BLOOMERY_MAX_SETTINGS"};
    *to = request.options.empty()
              ? bloomery_setting{}  // the preset
              : bloomery_setting{number, 0, request.options.begin()->value};
    write_struct(*o, options);
    return {};
  });
}
