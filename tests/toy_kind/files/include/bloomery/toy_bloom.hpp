// The toy kind: a classic filter that uses every stride-th number of its generator.
//
// It is of no use.  tests/toy_kind adds it to a copy of the tree, to count what a new
// kind costs there.  `stride` is its option, and a field of its reports.
//
// Cost: k cache lines per key, and k * stride multiplications.
// Thread safety: const calls may run together; any other call must run alone.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/bloom/probe.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

struct toy_layout {
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
  std::uint32_t stride = 1;
  friend bool operator==(const toy_layout&, const toy_layout&) noexcept = default;
};

class BLOOMERY_EXPORT toy_bloom : public filter_of<toy_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::toy,
      .name = "toy",
      .summary = "a filter of the tests: every stride-th number of a generator",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .parameter_bytes = 1};
  static constexpr std::uint32_t max_stride = 16;

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    std::uint32_t stride = 1;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<toy_bloom> make(params p) noexcept;
  static result<toy_bloom> make(toy_layout layout, std::uint64_t keys = 0,
                                bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;
  static result<toy_bloom> build(std::span<const key> ks, params p) noexcept;
  static result<toy_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }

  // An empty filter of the same layout, capacity and hasher.  Errors: out_of_memory.
  result<toy_bloom> empty_like() const noexcept {
    return make(layout(), capacity(), hasher());
  }
  void clear() noexcept;
  // Errors: incompatible, unless both have the same layout and hasher.
  result<void> merge(const toy_bloom& other) noexcept;

  toy_layout layout() const noexcept { return layout_; }
  std::uint64_t bits() const noexcept { return layout_.bits; }
  std::uint32_t hashes() const noexcept { return layout_.hashes; }
  static const char* kernel_name() noexcept { return "portable"; }
  std::uint32_t stride() const noexcept { return layout_.stride; }
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;
  double expected_fpr(std::uint64_t keys) const noexcept;
  double realised_fpr() const noexcept;

  // use(bit) for the bits of a key, until it returns false; whether it never did.
  template <class Use>
  bool for_each_bit(key k, Use use) const noexcept {
    __extension__ using u128 = unsigned __int128;
    std::uint64_t x = k.bits() | 1;
    for (std::uint32_t i = 0; i < layout_.hashes; ++i) {
      for (std::uint32_t s = 0; s < layout_.stride; ++s) x *= bloom_probe::multiplier;
      if (!use(static_cast<std::uint64_t>((static_cast<u128>(x) * layout_.bits) >> 64)))
        return false;
    }
    return true;
  }

 private:
  friend filter_of<toy_bloom>;
  friend core_parts;
  friend struct format::filter_access;

  toy_bloom(toy_layout layout, std::uint64_t keys, bloomery::hasher h,
            pages store) noexcept
      : layout_(layout), keys_(keys), hasher_(h), store_(std::move(store)) {}

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept {
    return for_each_bit(k, [this](std::uint64_t bit) noexcept {
      return (store_.data()[bit / 8] & mask(bit)) != std::byte{0};
    });
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find(ks[i]);
  }
  void add(key k) noexcept {
    for_each_bit(k, [this](std::uint64_t bit) noexcept {
      return store_.data()[bit / 8] |= mask(bit), true;
    });
  }
  void add_each(std::span<const key> ks) noexcept {
    for (const key k : ks) add(k);
  }
  toy_bloom with_store(pages store) const noexcept {
    return {layout_, keys_, hasher_, std::move(store)};
  }
  bool is_like(const toy_bloom& other) const noexcept { return layout_ == other.layout_; }

  static std::byte mask(std::uint64_t bit) noexcept {
    return std::byte{1} << static_cast<unsigned>(bit % 8);
  }

  toy_layout layout_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
};

}  // namespace bloomery::inline v1
