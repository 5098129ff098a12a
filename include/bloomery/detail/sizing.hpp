// How large a Bloom filter must be, and whether its format can reach the target rate.
// Pure arithmetic: nothing here allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include <bloomery/detail/description.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The size of a filter of bits.
struct bloom_layout {
  std::uint64_t bits = 0;    // m
  std::uint32_t hashes = 0;  // k
  friend bool operator==(const bloom_layout&, const bloom_layout&) noexcept = default;
};

// How large a filter of any kind is to be (kinds.hpp): at most one of the first four;
// none of them is a rate of 1 %.  A kind with kind_facts::rate_beside_size may have a
// rate beside another.
struct size_request {
  std::optional<double> fpr{};            // in (0, 1)
  std::optional<double> bits_per_key{};   // positive
  std::optional<std::uint64_t> memory{};  // bytes: the largest filter within
  // A size in units instead of a rate.
  struct exactly {
    std::uint64_t units = 0;   // of the kind: bits, blocks, ...
    std::uint32_t hashes = 0;  // where the kind has a choice
  };
  std::optional<exactly> exact{};  // needs no number of keys

  bool force = false;         // where the format cannot keep to the rate: make it anyway
  option_settings options{};  // of the kind: set_option (kinds.hpp)

  static constexpr double default_fpr = 0.01;
  bool is_by_rate() const noexcept { return !bits_per_key && !memory && !exact; }
  double rate() const noexcept { return fpr.value_or(default_fpr); }
};

// The layout of a filter of any kind, as the kind has it: a trivial type of at most 64
// bytes.
class kind_layout {
 public:
  template <class T>
  static kind_layout of(const T& layout) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(bytes_));
    kind_layout l;
    std::memcpy(l.bytes_.data(), &layout, sizeof layout);
    return l;
  }
  // REQUIRES: of<T> made it
  template <class T>
  T as() const noexcept {
    T layout;
    std::memcpy(&layout, bytes_.data(), sizeof layout);
    return layout;
  }

 private:
  alignas(8) std::array<std::byte, 64> bytes_{};
};

// The size that results from a request; of ribbon filters, the expected one; of kinds
// that grow, that of the first level.
struct filter_size {
  std::uint64_t units = 0;  // as byte 24 of a header counts them
  std::uint64_t bits = 0;
  std::uint64_t bytes = 0;
  // The rate it is sized for, when it is full: design_fpr (kinds.hpp) of the filter.  NaN
  // if it is sized for no keys.
  double expected_fpr = 0;
  kind_layout layout = {};  // of the kind
};

// The portable filter's sizing rules (spec/filters.md), the same in every language:
// k = round(m / keys * ln 2) between 1 and 30, and
//   by rate          m = ceil(-keys * ln(fpr) / (ln 2)^2)
//   by bits per key  m = ceil(keys * bits_per_key)
//   by memory        m = 8 * bytes
// Errors: invalid_argument (keys = 0, fpr outside (0, 1), nothing to size), too_large.
BLOOMERY_EXPORT result<bloom_layout> size_by_rate(std::uint64_t keys,
                                                  double fpr) noexcept;
BLOOMERY_EXPORT result<bloom_layout> size_by_bits_per_key(std::uint64_t keys,
                                                          double bits_per_key) noexcept;
BLOOMERY_EXPORT result<bloom_layout> size_by_memory(std::uint64_t keys,
                                                    std::uint64_t bytes) noexcept;

// The rate that a portable filter really gives, and its target rate.
struct portable_promise {
  enum class cause : std::uint8_t {
    none,            // within 1.1 times the target rate
    double_hashing,  // too few bits: the 1/m floor of h1 + i*h2 shows
    short_halves,    // too many bits: 32-bit halves do not reach all of them evenly
  };
  double asked_fpr;
  double true_fpr;
  cause why;

  double ratio() const noexcept { return true_fpr / asked_fpr; }
  bool is_kept() const noexcept { return ratio() <= warn_above; }
  bool is_refused(std::uint64_t keys) const noexcept {
    return keys >= always_built && ratio() > refuse_above;
  }

  static constexpr double warn_above = 1.1;
  static constexpr double refuse_above = 4.0;
  // Below this many keys a filter is always built: a first try with three keys must work.
  static constexpr std::uint64_t always_built = 100;
};

// REQUIRES: layout.bits >= 1, layout.hashes >= 1, 0 < asked_fpr < 1
BLOOMERY_EXPORT portable_promise promise_of(bloom_layout layout, std::uint64_t keys,
                                            double asked_fpr) noexcept;

// About the smallest rate that the portable format, sized by rate, reaches with this many
// keys.  (Rounding to whole k makes reached and missed rates alternate near the border;
// the one returned is reached.)  1 if there is none.
BLOOMERY_EXPORT double smallest_kept_fpr(std::uint64_t keys) noexcept;

}  // namespace bloomery::inline v1
