// What the rows of filters without blocks have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <bloomery/detail/sizing.hpp>

#include "base/bits.hpp"
#include "format/filter_access.hpp"
#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"
#include "format/lookup_bytes.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

// F: derived from bit_storage; sizes are bloom_layout.
template <class F>
struct bits_row : row_defaults {
  static bool ask(const chunk_guard& guard, const F& f, key k) noexcept {
    const auto& probe = filter_access::probe_of(f);
    return all_set_checked(f.bytes().data(), probe.start(k), filter_access::probes_of(f),
                           probe.range(),
                           [&](std::uint64_t at) noexcept { guard.need(at); });
  }
  static void ask(const chunk_guard& guard, const F& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  // The length of the payload follows from the bits.
  static result<void> check_payload(const container_facts& f,
                                    std::uint64_t bits) noexcept {
    if (f.payload_bytes != base::bytes_for_bits(bits))
      return wrong_field("the length of the payload is not that of its bits", 80);
    return {};
  }

  static constexpr double min_bytes = 1;
};

// A row reports the requested size in bytes, the sizing functions of these filters in
// bits.  `also`: another error whose numbers are sizes.
inline error in_bytes(error e, errc also = errc::too_large) noexcept {
  if (e.code != errc::too_large && e.code != also) return e;
  e.asked /= 8;
  e.possible /= 8;
  return e;
}

// Bits that a request by bits per key or memory comes to.  Errors: invalid_argument,
// too_large (asked: bits).
inline result<std::uint64_t> bits_asked(std::uint64_t keys,
                                        const size_request& r) noexcept {
  const double bits = r.memory ? 8 * static_cast<double>(*r.memory)
                               : std::ceil(static_cast<double>(keys) * *r.bits_per_key);
  if (r.bits_per_key && !(*r.bits_per_key > 0)) return not_positive();
  if (!(bits <= 0x1p62))  // no keys of infinite size are NaN
    return error{errc::too_large, "more bits than a filter can have", 0, bits};
  return r.memory ? 8 * *r.memory : model::saturated<std::uint64_t>(bits);
}

// Errors that make would give, for sizes that are never made.
inline result<bloom_layout> exactly(bloom_layout l) noexcept {
  if (l.bits == 0 || l.hashes == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit and one hash"};
  return l;
}

// Rows of the classic and the portable filter: a bloom_layout is all there is.
template <class F>
struct bloom_row : bits_row<F> {
  using layout = bloom_layout;
  static filter_size measure(bloom_layout l) noexcept {
    return {.units = l.bits, .bits = l.bits, .bytes = base::bytes_for_bits(l.bits)};
  }
  static header_layout header_of(bloom_layout l) noexcept { return {.hashes = l.hashes}; }
  static constexpr auto options = no_options;
  using field = fields_of<F>;
  static constexpr std::array fields{field::layout(
      "hashes", "", "bits that each key sets", [](const F& f) { return f.hashes(); })};
};

}  // namespace bloomery::format
