// The shape of a ribbon filter: the slots of its layers, and where they lie in the bytes.
// spec/filters.md, section 9.
//
// A key touches a window of `width` slots of one layer.  Up to four layers are solved in
// segments and may pass keys on; the last one is small, and takes what is left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v1 {

constexpr bool is_ribbon_width(unsigned width) noexcept {
  return width == 64 || width == 128;
}

struct ribbon_shape {
  static constexpr std::size_t max_layers = 4;
  static constexpr std::uint32_t max_columns = 32;
  static constexpr std::uint32_t max_last_slots = 8192;
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 48;

  unsigned width = 64;        // w: slots of a window, 64 or 128
  std::uint32_t columns = 0;  // r: bits per slot, 1 to 32
  // The share of each layer whose slots have one bit less, in 2^-32.
  std::uint32_t narrow = 0;
  // Buckets of each layer that passes keys on; no empty layer precedes one that is not.
  std::array<std::uint32_t, max_layers> buckets{};
  // Slots of the last layer; or, if the keys that are left could not be solved, their
  // number: they are kept as 64 bits each.
  std::uint32_t rest = 0;
  std::uint8_t seed = 0;  // of the last layer
  bool keeps_hashes = false;

  friend bool operator==(const ribbon_shape&, const ribbon_shape&) noexcept = default;

  constexpr unsigned bucket_slots() const noexcept { return width == 64 ? 128 : 512; }
  // A layer is cut into segments of at least this many buckets, less than twice as many.
  constexpr std::uint32_t segment_buckets() const noexcept {
    return width == 64 ? 512 : 256;
  }
  constexpr std::uint32_t segments(std::uint32_t layer_buckets) const noexcept {
    const std::uint32_t whole = layer_buckets / segment_buckets();
    return whole != 0 ? whole : 1;
  }
  constexpr std::size_t layers() const noexcept {
    std::size_t n = 0;
    while (n < max_layers && buckets[n] != 0) ++n;
    return n;
  }
  constexpr std::uint64_t all_buckets() const noexcept {
    std::uint64_t n = 0;
    for (const std::uint32_t b : buckets) n += b;
    return n;
  }
  // Slots of all layers, the last one included.
  constexpr std::uint64_t slots() const noexcept {
    return all_buckets() * bucket_slots() + (keeps_hashes ? 0 : rest);
  }
};

// A layer that passes keys on.
struct ribbon_layer {
  std::uint64_t segments = 0;       // S
  std::uint64_t segment_slots = 0;  // of each segment
  std::uint64_t starts = 0;         // of windows in a segment: segment_slots - w + 1
  std::uint64_t narrow_blocks = 0;  // the first ones, with a column less
  std::uint64_t first_bucket = 0;   // of this layer, among the thresholds
  std::uint64_t at = 0;             // byte where its first block begins
};

// What follows from a shape, so that lookups need not compute it.
class ribbon_layout {
 public:
  ribbon_layout() noexcept = default;
  // REQUIRES: the shape is one that format/kind/ribbon.hpp accepts
  constexpr explicit ribbon_layout(const ribbon_shape& s) noexcept
      : width(s.width), columns(s.columns), layers(s.layers()) {
    std::uint64_t at = 0, bucket = 0;
    for (std::size_t i = 0; i < layers; ++i) {
      ribbon_layer& l = layer[i];
      l.segments = s.segments(s.buckets[i]);
      l.segment_slots = s.buckets[i] / l.segments * s.bucket_slots();
      l.starts = l.segment_slots - width + 1;
      l.narrow_blocks = share(l.segments * l.starts, s.narrow) / width;
      l.first_bucket = bucket;
      l.at = at;
      bucket += s.buckets[i];
      at += column_bytes() *
            (l.segments * (l.segment_slots / width) * columns - l.narrow_blocks);
    }
    thresholds_at = at;
    last_at = at + (bucket + 3) / 4;
    if (s.keeps_hashes) {
      hashes = s.rest;
      size_in_bytes = last_at + 8 * hashes;
      return;
    }
    last_slots = s.rest;
    last_seed = s.seed;
    last_starts = last_slots >= last_width ? last_slots - last_width + 1 : 1;
    last_narrow = last_slots == 0 ? 0 : share(last_starts, s.narrow);
    size_in_bytes = last_at + (last_slots * columns - last_narrow + 7) / 8;
  }

  // The last layer's windows, whatever the width of the others.
  static constexpr unsigned last_width = 64;

  constexpr std::uint64_t column_bytes() const noexcept { return width / 8; }

  // Lookups are compiled for each of these: the last part alone; windows of 64 or 128
  // slots with at most eight columns, or more; windows of 64 slots with eight columns
  // everywhere, if whole lines behind any block, and whole words of thresholds, may be
  // read.
  static constexpr std::size_t forms = 6, whole_form = 5;
  constexpr std::size_t form() const noexcept {
    if (layers == 0) return 0;
    if (width == 64 && columns == 8 && !is_narrow() && size_in_bytes >= last_at + 64)
      return whole_form;
    return std::size_t{1} + (columns > 8) + 2 * (width == 128);
  }
  // Some blocks of its layers have a column less.
  constexpr bool is_narrow() const noexcept {
    for (const ribbon_layer& l : layer)
      if (l.narrow_blocks != 0) return true;
    return false;
  }

  unsigned width = 64;
  std::uint32_t columns = 0;
  std::size_t layers = 0;
  std::array<ribbon_layer, ribbon_shape::max_layers> layer{};
  std::uint64_t thresholds_at = 0;  // two bits per bucket
  std::uint64_t last_at = 0;        // the last layer, or the hashes
  std::uint64_t last_slots = 0, last_starts = 0, last_narrow = 0;
  std::uint64_t last_seed = 0;
  std::uint64_t hashes = 0;
  std::uint64_t size_in_bytes = 0;

 private:
  static constexpr std::uint64_t share(std::uint64_t of, std::uint32_t part) noexcept {
    // of < 2^41: the product of the upper bits cannot wrap
    return (of >> 32) * part + ((of & 0xffffffff) * part >> 32);
  }
};

}  // namespace bloomery::inline v1
