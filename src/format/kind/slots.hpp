// What the rows of fuse and xor share.
#pragma once

#include <bloomery/detail/filter/slot_filter.hpp>
#include <bloomery/detail/kind/slot/sizing.hpp>
#include <bloomery/model.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/kind/bits.hpp"

namespace bloomery::format {

// F: derived from slot_storage.
template <class F>
struct slots_row : row_defaults {
  using rule = typename F::rule;

  // Bytes 100 .. 113 of a header.
  struct parameters {
    std::uint32_t shards;
    std::uint64_t residue;
    std::uint8_t layout, segment_log;
  };
  static parameters parameters_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    parameters p;
    p.shards = in.read<std::uint32_t>();
    p.residue = in.read<std::uint64_t>();
    p.layout = in.read<std::uint8_t>();
    p.segment_log = in.read<std::uint8_t>();
    return p;
  }
  // REQUIRES: p.shards divides f.units
  static slot_shape shape_of(const container_facts& f, const parameters& p) noexcept {
    return {f.units / p.shards, p.shards, f.hashes, static_cast<slot_layout>(p.layout),
            p.segment_log};
  }

  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0 || f.hashes > slot_shape::max_width)
      return wrong_field("an impossible width of slots", 20);
    const parameters p = parameters_of(f);
    if (p.shards == 0) return wrong_field("no shards", 100);
    if (!rule::has(static_cast<slot_layout>(p.layout)))
      return wrong_field("a layout of slots that the kind does not have", 112);
    if (p.segment_log > rule::max_segment_log(static_cast<slot_layout>(p.layout)))
      return wrong_field("an impossible length of segments", 113);
    if (f.units > slot_shape::max_bits / f.hashes || f.units % p.shards != 0 ||
        !is_possible<rule>(shape_of(f, p)))
      return wrong_field("an impossible number of slots", 24);
    if (p.residue > slot_shape::max_residue)
      return wrong_field("an impossible number of hashes in the residue", 104);
    if (f.payload_bytes != shape_of(f, p).bytes(p.residue))
      return wrong_field("the length of the payload is not that of its slots", 80);
    return {};
  }
  static container_facts describe(const F& f) noexcept {
    container_facts c;
    c.hashes = f.shape().width;
    c.units = f.slots();
    base::byte_writer out(c.parameters);
    out.write(f.shape().shards);
    out.write(f.residue());
    out.write(static_cast<std::uint8_t>(f.shape().layout));
    out.write(f.shape().segment_log);
    return c;
  }
  static F adopt(const container_facts& f, const hasher& h, pages store,
                 damage_set damage) noexcept {
    const parameters p = parameters_of(f);
    return filter_access::make<F>(shape_of(f, p), p.residue, f.capacity, h,
                                  std::move(store), std::move(damage));
  }

  // Chunks are checked before they are read.
  static bool ask(const chunk_guard& guard, const F& f, key k) noexcept {
    return f.may_contain_if(k, [&](std::uint64_t at, std::uint64_t length) noexcept {
      return guard.need(at, length);
    });
  }
  static void ask(const chunk_guard& guard, const F& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 1;
  static constexpr double max_bytes = static_cast<double>(slot_shape::max_bits) / 8;

  using layout = slot_shape;
  static filter_size measure(const slot_shape& s) noexcept {
    return {.units = s.slots(), .bits = s.slots() * s.width, .bytes = s.bytes(0)};
  }
  static header_layout header_of(const slot_shape& s) noexcept {
    return {.hashes = s.width};
  }
  using field = fields_of<F>;
  static constexpr std::array fields{
      field::layout("layout", "", "where the slots of a key lie",
                    [](const F& f) { return name_of(f.shape().layout); }),
      field::layout("slots", "", "fingerprints that it stores",
                    [](const F& f) { return f.slots(); }),
      field::layout("fingerprint_bits", "bits", "bits of a slot",
                    [](const F& f) { return f.shape().width; }),
      field::layout("shards", "", "parts that were built separately",
                    [](const F& f) { return f.shape().shards; }),
      field::layout("residue", "keys", "keys that are stored whole",
                    [](const F& f) { return f.residue(); })};
  // Shaped: shape(keys, width).
  template <class Shaped>
  static result<slot_shape> size(std::uint64_t keys, const size_request& r,
                                 const Shaped& shape) noexcept {
    if (r.exact)
      return error{errc::unsupported,
                   "a filter that is only built is sized for its keys, not in slots"};
    if (!r.is_by_rate()) return by_bits(keys, r, shape);
    const auto width = slot_width_for(r.rate());
    if (!width) return width.error();
    const auto s = shape(keys, *width);
    if (!s) return in_bytes(s.error());
    return s;
  }
  // The widest that fits.
  template <class Shaped>
  static result<slot_shape> by_bits(std::uint64_t keys, const size_request& r,
                                    const Shaped& shape) noexcept {
    const auto bits = bits_asked(keys, r);
    if (!bits) return in_bytes(bits.error());
    if (r.memory == 0)
      return error{errc::invalid_argument, "less memory than the smallest filter takes",
                   0, 0, min_bytes};
    result<slot_shape> best =
        error{errc::unattainable, "too few bits for a fingerprint of each key"};
    for (std::uint32_t width = 1; width <= slot_shape::max_width; ++width) {
      const auto s = shape(keys, width);
      if (!s) return best ? best : result<slot_shape>(in_bytes(s.error()));
      if (8 * s->bytes(0) > *bits) break;
      best = *s;
    }
    return best;
  }
  static double expected_fpr(const slot_shape& s, std::uint64_t keys) noexcept {
    return model::slot_fpr(s.width, static_cast<double>(keys));
  }
  // Any number of distinct keys up to `keys`.
  template <class Keys>  // a span, or sorted_keys
  static result<F> build_slots(Keys ks, slot_request request, std::uint64_t keys,
                               const hasher& h, unsigned threads) noexcept {
    auto built = F::build(ks, request, h, threads);
    if (built && built->capacity() > keys)
      return error{errc::full, "more distinct keys than the filter is sized for", 0,
                   static_cast<double>(built->capacity()), static_cast<double>(keys)};
    return built;
  }
};

}  // namespace bloomery::format
