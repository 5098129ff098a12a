// The inner loops of quotient filters: no state, no allocation, no errors.  `portable` is
// the definition; the others do the same, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/kind/quotient/stripes.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

enum class quotient_result : std::uint8_t {
  done,
  full,
  too_many_copies,
  not_present,
  unreadable,  // of a filter that threads share: a fork tore it
  unable       // this call, by this kernel
};

// The same of a filter that threads share (shared_quotient.hpp).
struct shared_quotient_kernel {
  using stripes = quotient_stripes<atomic_words>;

  bool (*may_contain)(const stripes& all, std::uint64_t h) noexcept;
  // False: not known after all attempts.
  bool (*count)(const stripes& all, std::uint64_t h, std::uint64_t& copies) noexcept;
  quotient_result (*insert)(const stripes& all, std::uint64_t h) noexcept;
  quotient_result (*erase)(const stripes& all, std::uint64_t h) noexcept;
  void (*query)(const stripes& all, const key* ks, std::size_t n, bool* out) noexcept;
  // Inserts in order, up to the first key that is refused; returns how many were
  // inserted.
  std::size_t (*insert_many)(const stripes& all, const key* ks, std::size_t n) noexcept;
  // REQUIRES: no stripe is torn
  void (*erase_many)(const stripes& all, const key* ks, std::size_t n,
                     bool* erased) noexcept;
};

struct quotient_kernel {
  const char* name;
  unsigned (*select)(std::uint64_t word, unsigned n) noexcept;  // for tests
  bool (*may_contain)(const quotient_layout& l, const std::byte* data,
                      std::uint64_t h) noexcept;
  std::uint64_t (*count)(const quotient_layout& l, const std::byte* data,
                         std::uint64_t h) noexcept;
  quotient_result (*insert)(const quotient_layout& l, std::byte* data,
                            std::uint64_t h) noexcept;
  quotient_result (*erase)(const quotient_layout& l, std::byte* data,
                           std::uint64_t h) noexcept;
  void (*query)(const quotient_layout& l, const std::byte* data, const key* ks,
                std::size_t n, bool* out) noexcept;
  // Inserts in order, up to the first key that is refused; returns how many were
  // inserted.
  std::size_t (*insert_many)(const quotient_layout& l, std::byte* data, const key* ks,
                             std::size_t n) noexcept;
  void (*erase_many)(const quotient_layout& l, std::byte* data, const key* ks,
                     std::size_t n, bool* erased) noexcept;
  // The copies of `a` and `b` into an empty filter, as quotient_stream and
  // quotient_writer do it; null where nothing is faster.  Unable: remainders differ or
  // are long, runs are long, there is no room, or the bytes are no filter's; `to` is then
  // of no use.
  quotient_result (*merge)(const quotient_layout& l, std::byte* to,
                           const quotient_layout& la, const std::byte* a,
                           const quotient_layout& lb, const std::byte* b) noexcept;
  shared_quotient_kernel shared;
};

// What this CPU and BLOOMERY_ISA allow, the definition first, the best last.
std::span<const quotient_kernel* const> quotient_kernels() noexcept;

// The best of them, chosen once.
const quotient_kernel& best_quotient_kernel() noexcept;

}  // namespace bloomery::kernel
