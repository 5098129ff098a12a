// A filter that is only built: the sorted array of 32 bits of each key.
//
// For tests of what holds for every build-only kind.  Its faults are switched on by
// `faults`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::testing {

class fingerprint_array {
 public:
  static constexpr kind_facts kind{
      .number = container_kind{100},  // no file has it
      .name = "fingerprint-array",
      .summary = "a sorted array of 32 bits of each key",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "keys",
      .damage = damage_rule::possibly_present};

  struct params {
    std::uint64_t keys = 0;
    double fpr = 0.01;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  struct faults {
    bool full = false;            // build refuses
    bool drops_a_key = false;     // build loses the first one
    bool ignores_hasher = false;  // build takes another one than it is told

    static faults& now() {
      static faults one;
      return one;
    }
  };

  // Errors: invalid_argument (a key comes twice), full (if the test says so).
  static result<fingerprint_array> build(std::span<const key> ks, params p) {
    if (faults::now().full) return error{errc::full, "as the test says"};
    std::vector<std::uint64_t> all;
    for (const key k : ks) all.push_back(k.bits());
    std::ranges::sort(all);
    if (std::ranges::adjacent_find(all) != all.end())
      return error{errc::invalid_argument, "a key comes twice"};
    if (faults::now().drops_a_key && !all.empty()) all.erase(all.begin());
    if (faults::now().ignores_hasher) p.hasher = bloomery::hasher::xxh3(12345);
    return fingerprint_array(all, p);
  }
  // 64 ranges, one after the other.  Errors: those of the source.
  static result<fingerprint_array> build(sorted_keys& ks, const params& p) {
    std::vector<key> all;
    for (std::uint64_t range = 1; range <= 64; ++range) {
      const auto some = ks.take_below(range << 58);
      if (!some) return some.error();
      all.insert(all.end(), some->begin(), some->end());
    }
    return build(all, p);
  }
  static result<fingerprint_array> build(std::span<const key> ks) {
    return build(ks, params{.keys = ks.size()});
  }
  result<fingerprint_array> empty_like() const { return build({}, params_); }

  bool may_contain(key k) const noexcept {
    return std::ranges::binary_search(fingerprints_, fingerprint(k.bits()));
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }

  static const char* kernel_name() noexcept { return "none"; }
  bloomery::hasher hasher() const noexcept { return params_.hasher; }
  key hash(std::string_view bytes) const noexcept { return params_.hasher.hash(bytes); }

  double expected_fpr(std::uint64_t keys) const noexcept {
    return static_cast<double>(keys) * 0x1p-32;
  }
  double realised_fpr() const noexcept { return expected_fpr(fingerprints_.size()); }
  double estimated_keys() const noexcept {
    return static_cast<double>(fingerprints_.size());
  }
  double fill() const noexcept { return fingerprints_.empty() ? 0 : 1; }
  std::uint64_t capacity() const noexcept { return params_.keys; }
  std::size_t size_in_bytes() const noexcept { return 4 * fingerprints_.size(); }
  std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(fingerprints_));
  }

 private:
  static std::uint32_t fingerprint(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(bits >> 32);
  }
  fingerprint_array(const std::vector<std::uint64_t>& sorted, params p) : params_(p) {
    for (const std::uint64_t bits : sorted) fingerprints_.push_back(fingerprint(bits));
    fingerprints_.erase(std::unique(fingerprints_.begin(), fingerprints_.end()),
                        fingerprints_.end());
  }

  params params_;
  std::vector<std::uint32_t> fingerprints_;  // ascending, each once
};

static_assert(build_only<fingerprint_array>);

}  // namespace bloomery::testing
